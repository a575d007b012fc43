//! A real Postgres, and the witnesses in it. All SQL of the drill is here; none of it goes through the store,
//! whose word is what is being checked.

pub mod cluster; // databases made, taken away and dropped
pub mod rows; // what the rows of one database say
