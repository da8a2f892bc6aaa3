//! Imports of the files of a function.

use sim_base::{Blob, File};
use sim_management::function_source::{check, problem_of_map};

fn problem(files: &[(&str, &str)]) -> Option<String> {
    let file = |(name, text): &(&str, &str)| File {
        name: (*name).to_owned(),
        content: Blob(text.as_bytes().to_vec()),
    };
    let files: Vec<_> = files.iter().map(file).collect();
    check(&files, files[0].name.as_str(), None).err().map(|error| error.message)
}

#[test]
fn imports_are_found_wherever_their_files_are() {
    let shared = "import { a } from '../_shared/a.ts';\nexport * from \"./b.ts\"\nimport './c.js'";
    let files =
        [("f/hello/index.ts", shared), ("f/_shared/a.ts", ""), ("./f/hello/b.ts", ""), ("f/hello/c.js", "")];
    assert_eq!(problem(&files), None);
    for missing in 1..4 {
        let mut fewer = files.to_vec();
        fewer.remove(missing);
        assert!(problem(&fewer).is_some_and(|text| text.contains("Module not found")), "{missing}");
    }
}

#[test]
fn imports_while_it_runs_are_found_and_comments_are_not() {
    let text = "const a = await import('./a.ts');\n// const b = await import('./b.ts');\nconst c = \"import('./c.ts')\";";
    assert!(problem(&[("index.ts", text)]).is_some_and(|text| text.contains("\"a.ts\"")));
    assert_eq!(problem(&[("index.ts", text), ("a.ts", "")]), None);
}

#[test]
fn an_import_map_is_an_object_of_objects() {
    for (map, is_good) in
        [("{}", true), (r#"{"imports":{"a":"npm:a"}}"#, true), ("[]", false), ("{\"imports\":[]}", false)]
    {
        assert_eq!(problem_of_map(map.as_bytes()).is_none(), is_good, "{map}");
    }
}

#[test]
fn only_relative_imports_are_checked() {
    let text = "import x from 'npm:x';\nimport type { T } from './t.ts';\nconst s = \"from './no.ts'\";\n\
                // see ./other.ts\nconst later = import(`./${name}.ts`);\nimport {\n  a,\n} from 'jsr:@a/b';";
    assert_eq!(problem(&[("index.ts", text)]), None);
    assert_eq!(problem(&[("readme.md", "import a from './a.ts'")]), None);
    let long = "import {\n  a,\n  b\n} from './a.ts';";
    assert!(problem(&[("index.ts", long)]).is_some());
}
