//! The states and every way between them, drawn from the table that the rules are tested against.
//!
//! The states stand in the order of the journey. A way on leaves at the right and leads down, a way back leaves at
//! the left and leads up; where an arrow ends decides its colour. Those who listen have the list below it.

use domain::{explanation::StateName, task::Phase};
use leptos::prelude::*;

use crate::words::{about, status::Tone};

/// Of the drawing, in its own units.
const WIDTH: i32 = 360;
const ROW: i32 = 42;
const BOX: (i32, i32) = (152, 30);
/// So far from the middle of its side an arrow meets a box.
const ASIDE: i32 = 6;

/// The drawing.
#[component]
pub fn Diagram() -> impl IntoView {
    let states = || StateName::ALL.into_iter().zip(0..);
    let row_of = |name: StateName| states().find(|(state, _)| *state == name).map_or(0, |(_, row)| row);
    let ways = states()
        .flat_map(|(from, row)| from.next().iter().map(move |to| way(row, row_of(*to), tone(*to))))
        .collect_view();
    let (width, height) = BOX;
    let boxes = states()
        .map(|(state, row)| {
            let middle = middle(row);
            view! {
                <g class=format!("diagram__state tag--{}", tone(state).as_str())>
                    <rect x=(WIDTH - width) / 2 y=middle - height / 2 width=width height=height rx="8"></rect>
                    <text x=WIDTH / 2 y=middle + 4 text-anchor="middle">
                        {about::state(state).0}
                    </text>
                </g>
            }
            .into_any()
        })
        .collect_view();
    let lower = middle(row_of(StateName::Cancelled)) + ROW / 2;
    view! {
        <svg class="diagram" viewBox=format!("0 0 {WIDTH} {lower}") aria-hidden="true" focusable="false">
            {ways}
            {boxes}
        </svg>
    }
    .into_any()
}

fn middle(row: i32) -> i32 {
    row * ROW + ROW / 2
}

/// An arrow from one row to another: the further it leads, the further out it bends.
fn way(from: i32, to: i32, tone: Tone) -> AnyView {
    let side = if from < to { 1 } else { -1 };
    let x = WIDTH / 2 + side * BOX.0 / 2;
    let (leaves, arrives) = (middle(from) + side * ASIDE, middle(to) - side * ASIDE);
    let bend = x + side * (22 + 8 * (to - from).abs());
    let (tip, tail) = (x + side, x + side * 7);
    let line = format!("M{x} {leaves}C{bend} {leaves} {bend} {arrives} {tail} {arrives}");
    let head = format!("M{tail} {}L{tip} {arrives}L{tail} {}z", arrives - 4, arrives + 4);
    view! { <path class=format!("diagram__way tag--{}", tone.as_str()) d=format!("{line}{head}")></path> }.into_any()
}

fn tone(state: StateName) -> Tone {
    match state.phase() {
        Phase::Pending | Phase::AwaitingHuman => Tone::Waiting,
        Phase::Running => Tone::Working,
        Phase::Succeeded => Tone::Good,
        Phase::Failed => Tone::Bad,
        Phase::Cancelled => Tone::Neutral,
    }
}
