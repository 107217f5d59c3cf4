//! How the requests of an HTTP/2 connection are run.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Waker},
};

use hyper::rt::Executor;

/// Begins a request where it was read, and makes a task of it only when it has to wait.
///
/// Most answers need no waiting. A task for each would wake another thread, which takes longer than the answer.
#[derive(Clone, Copy)]
pub(super) struct AtOnce;

impl<F> Executor<F> for AtOnce
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, request: F) {
        let mut request: Pin<Box<F>> = Box::pin(request);
        // Nobody needs to be woken: a request that is not done is looked at again by its task.
        let mut context = Context::from_waker(Waker::noop());
        // As in a task, a panic ends this request alone.
        let begun = catch_unwind(AssertUnwindSafe(|| request.as_mut().poll(&mut context)));
        if matches!(begun, Ok(polled) if polled.is_pending()) {
            tokio::spawn(request);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    };

    use super::*;

    #[tokio::test]
    async fn what_need_not_wait_is_done_on_return() {
        let done = Arc::new(AtomicBool::new(false));
        let seen = done.clone();
        AtOnce.execute(async move { seen.store(true, Ordering::SeqCst) });
        assert!(done.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn what_waits_is_woken() {
        let (ask, asked) = tokio::sync::oneshot::channel();
        let (tell, told) = tokio::sync::oneshot::channel();
        AtOnce.execute(async move {
            let number: u32 = asked.await.unwrap();
            tell.send(number + 1).unwrap();
        });
        ask.send(41).unwrap();
        assert_eq!(told.await.unwrap(), 42);
    }

    #[tokio::test]
    async fn a_panic_ends_only_what_panicked() {
        AtOnce.execute(async { panic!("on purpose") });
        let (tell, told) = tokio::sync::oneshot::channel();
        AtOnce.execute(async move { tell.send(7).unwrap() });
        assert_eq!(told.await.unwrap(), 7);
    }
}
