//! Who may do what: users, and the permissions that changes take.

pub mod editor;
pub(super) mod gate;
pub mod permission;

pub use self::editor::Editor;
pub use self::permission::Permission;
