//! The form in which a domain declares the reasons for which it refuses requests.

/// Declares refusals: variant, stable code for programs, status, and message with the remedy. `examples/refusals.md` lists them.
macro_rules! refusals {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident;
        $($variant:ident $code:literal $status:ident $message:literal;)*
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $name {
            $(
                #[doc = $message]
                $variant,
            )*
        }

        impl $name {
            /// All of them.
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns code, status and message.
            pub(crate) fn properties(self) -> (&'static str, actix_web::http::StatusCode, &'static str) {
                match self {
                    $(Self::$variant => ($code, actix_web::http::StatusCode::$status, $message),)*
                }
            }
        }

        impl From<$name> for $crate::error::DomainError {
            fn from(refusal: $name) -> Self {
                let (code, status, message) = refusal.properties();
                Self::new(code, status, message)
            }
        }

        impl From<$name> for $crate::error::ApiError {
            fn from(refusal: $name) -> Self {
                $crate::error::DomainError::from(refusal).into()
            }
        }
    };
}
pub(crate) use refusals;
