//! On some systems the linker must be told that Python brings what the extension lacks.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
