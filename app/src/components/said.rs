//! Sentences of [`words`](crate::words), on the screen.

use leptos::{attr::IntoAttributeValue, prelude::*};

use crate::words::said::Said;

impl IntoRender for Said {
    type Output = &'static str;

    fn into_render(self) -> Self::Output {
        self.words()
    }
}

impl IntoAttributeValue for Said {
    type Output = &'static str;

    fn into_attribute_value(self) -> Self::Output {
        self.words()
    }
}
