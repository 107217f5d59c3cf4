//! Lines on their way out.
//!
//! Whoever logs appends to a buffer; one thread writes what has gathered. A request thus never waits for whoever
//! reads the log, and a thousand lines cost a few writes. When the reader is so slow that the buffer is full,
//! lines are dropped and counted: the server goes on.

use std::{
    io::{self, Write},
    mem,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tracing_subscriber::fmt::MakeWriter;

/// How much may wait for a slow reader.
const ROOM: usize = 4 << 20;
/// How long lines gather before they are written.
const GATHER: Duration = Duration::from_millis(5);
/// The last lines of a process wait no longer than this for a reader.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What has gathered. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct Lines(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    gathered: Mutex<Gathered>,
    /// Told when something has gathered, and when it is written.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Gathered {
    lines: Vec<u8>,
    dropped: u64,
    /// What the thread has taken and not yet written.
    writing: bool,
}

impl Lines {
    /// Starts the thread that writes to `out`.
    pub fn to(mut out: impl Write + Send + 'static) -> io::Result<Self> {
        let lines = Self::default();
        let shared = lines.0.clone();
        let thread = std::thread::Builder::new().name("log".to_owned());
        thread.spawn(move || shared.write_all(&mut out))?;
        Ok(lines)
    }

    /// Waits until everything logged so far is written; to be called before the process ends.
    pub fn flush(&self) {
        let waits = |gathered: &mut Gathered| gathered.writing || !gathered.lines.is_empty();
        drop(self.0.changed.wait_timeout_while(self.0.lock(), LAST_WORDS, waits));
    }
}

impl Shared {
    /// A thread that panicked while it held the lock left whole lines: they are still good.
    fn lock(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_all(&self, out: &mut dyn Write) {
        let mut taken = Vec::new();
        loop {
            let gathered = self.changed.wait_while(self.lock(), |g| g.lines.is_empty());
            gathered.unwrap_or_else(PoisonError::into_inner).writing = true;
            std::thread::sleep(GATHER);
            let mut gathered = self.lock();
            mem::swap(&mut gathered.lines, &mut taken);
            let dropped = mem::take(&mut gathered.dropped);
            drop(gathered);
            // Nobody is left to be told that nobody reads.
            drop(out.write_all(&taken));
            if dropped > 0 {
                drop(writeln!(
                    out,
                    "{dropped} lines of the log were dropped: it is read too slowly"
                ));
            }
            taken.clear();
            self.lock().writing = false;
            self.changed.notify_all();
        }
    }
}

impl Write for &Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut gathered = self.0.lock();
        if gathered.lines.len() + line.len() > ROOM {
            gathered.dropped += 1;
            return Ok(line.len());
        }
        let sleeps = gathered.lines.is_empty() && !gathered.writing;
        gathered.lines.extend_from_slice(line);
        drop(gathered);
        if sleeps {
            self.0.changed.notify_all();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = &'a Lines;

    fn make_writer(&'a self) -> &'a Lines {
        self
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Takes what is written only when it is allowed to.
    struct Reader {
        allowed: mpsc::Receiver<()>,
        read: mpsc::Sender<Vec<u8>>,
    }

    impl Write for Reader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.allowed.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
            self.read.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn reader() -> (mpsc::Sender<()>, mpsc::Receiver<Vec<u8>>, Lines) {
        let ((allow, allowed), (read, reading)) = (mpsc::channel(), mpsc::channel());
        (allow, reading, Lines::to(Reader { allowed, read }).unwrap())
    }

    #[test]
    fn flushing_waits_for_the_last_line() {
        let (allow, reading, lines) = reader();
        (&lines).write_all(b"one\n").unwrap();
        (&lines).write_all(b"two\n").unwrap();
        (0..2).for_each(|_| allow.send(()).unwrap());
        lines.flush();
        let written: Vec<u8> = reading.try_iter().flatten().collect();
        assert_eq!(written, b"one\ntwo\n");
    }

    #[test]
    fn a_reader_that_stops_reading_holds_nobody_up() {
        let (allow, reading, lines) = reader();
        let line = vec![b'x'; 1 << 20];
        (0..20).for_each(|_| (&lines).write_all(&line).unwrap());
        (0..20).for_each(|_| allow.send(()).unwrap());
        lines.flush();
        let written: Vec<u8> = reading.try_iter().flatten().collect();
        assert!(written.len() <= 2 * ROOM + 200, "{}", written.len());
        assert!(String::from_utf8_lossy(&written).contains("lines of the log were dropped"));
    }
}
