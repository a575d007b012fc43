//! Pictures beside words. They say nothing that the words do not say.

use leptos::prelude::*;

/// Which picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    Anchor,
    Person,
    Question,
    Pen,
    Working,
    Check,
    Warning,
    Stop,
    Open,
    List,
    Book,
}

impl Picture {
    /// Its strokes in a square of 24.
    fn strokes(self) -> &'static str {
        match self {
            Self::Anchor => "M12 8v13M12 8a2.5 2.5 0 1 0 0-5a2.5 2.5 0 0 0 0 5M8 11h8M4 14a8 7 0 0 0 16 0",
            Self::Person => "M12 11.5a4 4 0 1 0 0-8a4 4 0 0 0 0 8M4.5 20.5a7.5 6.5 0 0 1 15 0",
            Self::Question => {
                "M9.2 9.3a2.9 2.9 0 1 1 4.3 2.5c-1 .6-1.5 1-1.5 2.2M12 17.2v.1M12 3a9 9 0 0 1 4.5 1.2M19.8 7.5a9 9 0 0 1 \
                 1.2 4.5M19.8 16.5a9 9 0 0 1-3.3 3.3M12 21a9 9 0 0 1-4.5-1.2M4.2 16.5A9 9 0 0 1 3 12M4.2 7.5a9 9 0 0 1 \
                 3.3-3.3"
            }
            Self::Pen => "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
            Self::Working => "M12 3a9 9 0 1 1-9 9M12 7v5l3 2",
            Self::Check => "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M8 12.3l2.8 2.8L16 9.5",
            Self::Warning => "M12 4L2.8 20h18.4zM12 10v4M12 17v.1",
            Self::Open => "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18",
            Self::Stop => "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M8 12h8",
            Self::List => "M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1",
            Self::Book => "M5 19V5a2 2 0 0 1 2-2h12v18H7a2 2 0 0 1 0-4h12",
        }
    }
}

/// The picture, hidden from those who listen.
#[component]
pub fn Icon(
    picture: Picture,
    /// A further class.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    view! {
        <svg
            class=format!("icon {class}")
            viewBox="0 0 24 24"
            width="24"
            height="24"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
            focusable="false"
        >
            <path d=picture.strokes()></path>
        </svg>
    }
}
