//! What is known of the fields of events.

use sim_core::sql::warehouse::Shape;

#[test]
fn paths_make_a_tree() {
    let shape = Shape::of_paths(["a", "b.c.d", "b.e"]);
    assert_eq!(shape.field("A"), Some(Shape::of_paths([])));
    assert_eq!(shape.field("b").and_then(|b| b.field("c")), Some(Shape::of_paths(["d"])));
    assert_eq!(shape.field("d"), None);
}
