//! The list of projects of an organization.

use rusqlite::ToSql;
use sim_core::Simulator;
use sim_management::organization_project::{ListOrganizationProjects, ProjectOrder};
use sim_management::project::Status;

#[test]
fn every_page_and_every_total_goes_by_an_index() {
    use ProjectOrder::{CreatedAsc, CreatedDesc, NameAsc, NameDesc};
    let sim = Simulator::builder().build();
    let steps = |sql: String, parameters: &[&dyn ToSql]| -> Vec<String> {
        let sql = format!("EXPLAIN QUERY PLAN {sql}");
        sim.read(|db| db.all(&sql, parameters, |row| row.get("detail")))
    };
    let (search, statuses) = (Some("shop".to_owned()), Some(vec![Status::Inactive]));
    let filters = [(None, None), (search.clone(), None), (None, statuses.clone()), (search, statuses)];
    for order in [NameAsc, NameDesc, CreatedAsc, CreatedDesc] {
        let index = if matches!(order, NameAsc | NameDesc) { "project_by_name" } else { "project_by_age" };
        for ((search, statuses), branches) in filters.iter().flat_map(|one| [(one, false), (one, true)]) {
            let (search, statuses) = (search.clone(), statuses.clone());
            let first = ListOrganizationProjects::of("acme");
            let asked = ListOrganizationProjects { sort: Some(order), search, statuses, ..first };
            let page = steps(asked.page(branches), &[&"acme", &"shop", &"[]", &100, &0]);
            assert_eq!(page[0], format!("SEARCH project USING INDEX {index} (organization=?)"));
            assert!(page.iter().all(|step| !step.contains("TEMP B-TREE")), "{page:?}");
            let total = steps(asked.total(branches), &[&"acme", &"shop", &"[]"]);
            let of_organization = |step: &str| step.contains(" INDEX ") && step.ends_with("(organization=?)");
            assert!(of_organization(&total[0]), "{total:?}");
        }
    }
}
