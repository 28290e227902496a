use super::super::list;
use super::*;

const RULES: &str = r#"{"version": 1, "learned": [{"command": "make"}]}"#;

fn put(scene: &Scene, name: &str, text: &str) {
    let path = scene.folder().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn projects(scene: &Scene) -> Vec<Option<String>> {
    list(&scene.folder()).into_iter().map(|listed| listed.project).collect()
}

#[test]
fn the_projects_that_have_a_file_are_listed() {
    let scene = Scene::new();
    assert_eq!(list(&scene.folder()), []);
    let shop = scene.project("shop");
    let flat = |project: &str, slash: &str| project.trim_start_matches('/').replace('/', slash);
    // By the plugin's short names, if one directory only can be meant; by names that can mean one only, also if it is gone.
    for name in [flat(&shop, "-"), flat(&shop, "_"), flat("/srv/gone", "%2F"), flat("/srv/deep/gone", "/")] {
        let scene = Scene { root: tempfile::tempdir().unwrap() };
        put(&scene, &format!("{name}.json"), RULES);
        put(&scene, "notes.txt", "");
        let expected = match name.as_str() {
            "srv%2Fgone" => "/srv/gone",
            "srv/deep/gone" => "/srv/deep/gone",
            _ => &shop,
        };
        assert_eq!(projects(&scene), [Some(expected.to_owned())], "{name}");
    }
}

#[test]
fn whose_file_it_is_is_not_guessed() {
    let scene = Scene::new();
    for project in ["a-b", "a/b"] {
        fs::create_dir_all(scene.project(project)).unwrap();
    }
    let name = format!("{}.json", scene.project("a-b").trim_start_matches('/').replace('/', "-"));
    put(&scene, &name, RULES);
    put(&scene, "home-nobody-was-here.json", RULES);
    assert_eq!(projects(&scene), [None, None]);
    // The one that Gavel wrote says so itself.
    fs::remove_file(scene.folder().join(&name)).unwrap();
    let mut file = RulesFile::open(&scene.folder(), &scene.project("a/b"), None);
    file.apply(learn("make")).unwrap();
    assert!(projects(&scene).contains(&Some(scene.project("a/b"))), "{:?}", list(&scene.folder()));
}

/// Two names for one project: it uses one of the files, and the other one is nobody's.
#[test]
fn a_project_is_listed_once() {
    let scene = Scene::new();
    let shop = scene.project("shop");
    for slash in ["-", "%2F"] {
        put(&scene, &format!("{}.json", shop.trim_start_matches('/').replace('/', slash)), RULES);
    }
    let listed = list(&scene.folder());
    let of_shop: Vec<_> = listed.iter().filter(|one| one.project.as_deref() == Some(shop.as_str())).collect();
    assert_eq!((listed.len(), of_shop.len()), (2, 1));
    assert_eq!(of_shop[0].path, scene.open().path());
}
