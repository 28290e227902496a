use super::*;

const RULES: &str = r#"{"version": 1, "learned": [{"command": "make"}]}"#;

/// The project's path with its slashes written in another way.
fn named(project: &str, slash: &str, first: bool) -> String {
    let name = project.replace('/', slash);
    if first { name } else { name.strip_prefix(slash).unwrap().to_owned() }
}

#[test]
fn an_existing_file_is_found_by_any_of_its_names() {
    for (slash, first) in ["-", "_", "%2F", "%2f", "/"].iter().flat_map(|slash| [(slash, true), (slash, false)]) {
        if *slash == "/" && first {
            continue;
        }
        let scene = Scene::new();
        let path = scene.folder().join(format!("{}.json", named(&scene.project("shop"), slash, first)));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, RULES).unwrap();
        let mut file = scene.open();
        assert_eq!(file.path(), path);
        assert!(file.matches(&line("make"), || false).is_some(), "{}", path.display());
        file.apply(learn("make x")).unwrap();
        assert_eq!(on_disk(&path)["learned"][1]["command"], "make x");
    }
}

#[test]
fn a_new_file_is_named_by_the_path_without_its_first_slash() {
    let scene = Scene::new();
    for project in [scene.project("shop"), scene.project("shop") + "/"] {
        let file = RulesFile::open(&scene.folder(), &project, None);
        let name = format!("{}.json", named(&scene.project("shop"), "-", false));
        assert_eq!(file.path(), scene.folder().join(name));
    }
    assert_eq!(scene.names(), [""; 0], "nothing is written yet");
}

/// `/a-b` and `/a/b` could both have `a-b.json`.
#[test]
fn two_projects_never_share_a_file() {
    for first_is_flat in [true, false] {
        let scene = Scene::new();
        let (flat, deep) = (scene.project("a-b"), scene.project("a/b"));
        let [one, other] = if first_is_flat { [&flat, &deep] } else { [&deep, &flat] };
        // When the first one is opened, the second one does not exist yet.
        fs::create_dir_all(one).unwrap();
        let mut first = RulesFile::open(&scene.folder(), one, None);
        first.apply(learn("make first")).unwrap();
        assert_eq!(scene.names(), [format!("{}.json", named(&deep, "-", false))]);
        fs::create_dir_all(other).unwrap();
        let mut second = RulesFile::open(&scene.folder(), other, None);
        assert_eq!(learned(&second), [""; 0]);
        second.apply(learn("make second")).unwrap();
        assert_eq!(second.path(), scene.folder().join(format!("{}.json", named(other, "%2F", true))));
        // Each finds its own again.
        for (project, command) in [(one, "make first"), (other, "make second")] {
            assert_eq!(learned(&RulesFile::open(&scene.folder(), project, None)), [command], "{project}");
        }
    }
}

/// What the plugin wrote doesn't say whose it is.
#[test]
fn a_file_that_may_be_of_another_project_is_not_used() {
    let scene = Scene::new();
    for project in ["a-b", "a/b"] {
        fs::create_dir_all(scene.project(project)).unwrap();
    }
    fs::create_dir_all(scene.folder()).unwrap();
    let name = named(&scene.project("a-b"), "-", false);
    let path = scene.folder().join(format!("{name}.json"));
    fs::write(&path, RULES).unwrap();
    for project in ["a-b", "a/b"] {
        let mut file = RulesFile::open(&scene.folder(), &scene.project(project), None);
        assert_eq!(learned(&file), [""; 0], "{project}");
        file.apply(learn("make own")).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), RULES);
    assert_eq!(scene.names().len(), 3);
    // Once there is only one that it can be of, it is that one's.
    fs::remove_dir_all(scene.project("a-b")).unwrap();
    for name in scene.names().iter().filter(|name| name.starts_with('%')) {
        fs::remove_file(scene.folder().join(name)).unwrap();
    }
    assert_eq!(learned(&RulesFile::open(&scene.folder(), &scene.project("a/b"), None)), ["make"]);
}

#[test]
fn a_file_that_was_moved_by_hand_belongs_to_the_project_it_is_named_after() {
    let scene = Scene::new();
    let mut old = scene.open();
    old.apply(learn("make")).unwrap();
    fs::create_dir_all(scene.project("store")).unwrap();
    let path = scene.folder().join(format!("{}.json", named(&scene.project("store"), "-", false)));
    fs::rename(old.path(), &path).unwrap();
    let mut new = RulesFile::open(&scene.folder(), &scene.project("store"), None);
    assert_eq!((new.path(), learned(&new)), (path.as_path(), vec!["make"]));
    new.apply(learn("make x")).unwrap();
    assert_eq!(on_disk(&path)["gavel"]["project"], scene.project("store"));
}

#[test]
fn a_file_that_others_make_later_is_found() {
    let scene = Scene::new();
    let mut file = scene.open();
    let path = scene.folder().join(format!("{}.json", named(&scene.project("shop"), "_", true)));
    fs::create_dir_all(scene.folder()).unwrap();
    fs::write(&path, RULES).unwrap();
    assert!(file.look());
    assert_eq!((file.path(), learned(&file)), (path.as_path(), vec!["make"]));
}

#[test]
fn a_long_path_becomes_folders() {
    let scene = Scene::new();
    let project = scene.project(&"a-long-name/".repeat(40));
    let mut file = RulesFile::open(&scene.folder(), &project, None);
    file.apply(learn("make")).unwrap();
    assert_eq!(learned(&RulesFile::open(&scene.folder(), &project, None)), ["make"]);
}

#[test]
fn no_rules_are_read_or_written_in_the_project() {
    let scene = Scene::new();
    let project = scene.project("shop");
    let inside = Path::new(&project).join("rules.json");
    fs::write(&inside, RULES).unwrap();
    let refused = |folder: &Path, by_hand: Option<&Path>| {
        let mut file = RulesFile::open(folder, &project, by_hand);
        assert_eq!(file.state(), &State::Unusable);
        assert!(file.trouble().unwrap().to_string().contains("it lies in the project"), "{:?}", file.trouble());
        file.apply(learn("make x")).unwrap_err();
        assert_eq!(file.matches(&line("make"), || true), None);
    };
    refused(&scene.folder(), Some(&inside));
    refused(Path::new(&project), None);
    #[cfg(unix)]
    {
        let link = scene.root.path().join("link.json");
        std::os::unix::fs::symlink(&inside, &link).unwrap();
        refused(&scene.folder(), Some(&link));
        let folder = scene.root.path().join("linked");
        std::os::unix::fs::symlink(&project, &folder).unwrap();
        refused(&folder, None);
        refused(&folder.join("not/yet/there"), None);
    }
    assert_eq!(fs::read_to_string(&inside).unwrap(), RULES);
    assert_eq!(fs::read_dir(&project).unwrap().count(), 1);
}

/// An agent that works in a part of a repository may write the rest of it as well.
#[test]
fn no_rules_are_read_or_written_in_the_repository_around_the_project() {
    let scene = Scene::new();
    let path = scene.put(RULES);
    let may = || scene.open().matches(&line("make"), || false).is_some();
    assert!(may());
    fs::create_dir(scene.root.path().join(".git")).unwrap();
    assert!(!may());
    assert!(
        scene.open().trouble().unwrap().to_string().contains("the repository around it"),
        "{:?}",
        scene.open().trouble()
    );
    scene.open().apply(learn("make x")).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), RULES);
    // A project that is a repository of its own ends there.
    fs::write(Path::new(&scene.project("shop")).join(".git"), "gitdir: elsewhere").unwrap();
    assert!(may());
}

#[test]
fn a_file_set_by_hand_is_used_whatever_its_name() {
    let scene = Scene::new();
    let path = scene.root.path().join("my rules.json");
    fs::write(&path, RULES).unwrap();
    let mut file = RulesFile::open(&scene.folder(), &scene.project("shop"), Some(&path));
    assert_eq!(learned(&file), ["make"]);
    file.apply(learn("make x")).unwrap();
    assert_eq!(on_disk(&path)["learned"][1]["command"], "make x");
    assert_eq!(scene.names(), [""; 0]);
    let relative = RulesFile::open(&scene.folder(), &scene.project("shop"), Some(Path::new("rules.json")));
    assert_eq!(relative.state(), &State::Unusable);
}
