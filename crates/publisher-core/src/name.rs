//! Names of projects, packages and connections, and paths inside a package.
//!
//! A name is one segment of an address and may become one of a path on disk, so that it must not be able to lead
//! anywhere else.

/// Whether `name` may be the name of a project, a package or a connection.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 255
        && !name.starts_with('.')
        && !name.chars().any(|c| matches!(c, '/' | '\\' | '\0') || c.is_control())
}

/// Whether `path` may be the path of a file in a package: relative, `/` separated, leading nowhere else, and of
/// nothing hidden.
pub fn is_path(path: &str) -> bool {
    path.len() <= 4096 && path.split('/').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere_else() {
        for name in ["library", "my package", "bücher", "a.b", "x%2e"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".", "..", ".git", "a/b", "a\\b", "a\0b", "a\nb"] {
            assert!(!is_name(name), "{name:?}");
        }
    }

    #[test]
    fn a_path_stays_below_its_package() {
        assert!(is_path("a.malloy") && is_path("sub/dir/x.malloy"));
        for path in ["", "/a", "a//b", "a/", "../a", "a/../b", "./a", ".git/config", "a\\..\\b"] {
            assert!(!is_path(path), "{path:?}");
        }
    }
}
