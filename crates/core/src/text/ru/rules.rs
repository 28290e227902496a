//! What is wrong with a rules file or another file of Gavel's, and why a line of rules doesn't count.

pub(super) const PART: &[(&str, &str)] = &[
    // Files.
    ("no home directory is known; set `HOME`", "домашняя папка неизвестна; задайте `HOME`"),
    ("can't use `{}`: {}", "не удаётся воспользоваться `{}`: {}"),
    (
        "the settings in `{}` can't be understood ({}); correct the file or move it away",
        "не удаётся понять настройки в `{}` ({}); исправьте этот файл или уберите его",
    ),
    (
        "the rules in `{}` allow nothing and are left alone: {}; correct the file or move it away",
        "по правилам в `{}` ничего не проходит, и они остаются как есть: {}; исправьте этот файл или уберите его",
    ),
    ("the rules in `{}` can't be changed: {}", "изменить правила в `{}` нельзя: {}"),
    (
        "the rules in `{}` could not be changed, because another program keeps writing them",
        "изменить правила в `{}` не удалось: их всё время записывает другая программа",
    ),
    ("`{}` is no place for rules: {}", "`{}` — не место для правил: {}"),
    ("only absolute paths are known everywhere", "однозначны только абсолютные пути"),
    (
        "it lies in the project or the repository around it, where agents could write their own rules; \
         name another file for this project",
        "этот файл лежит в проекте или в репозитории вокруг него, где агенты могли бы написать правила себе сами; \
         укажите для этого проекта другой файл",
    ),
    ("it can't be used", "использовать его нельзя"),
    ("it can't be told which project it belongs to", "нельзя понять, к какому проекту он относится"),
    ("what is exported can't be written: {}", "не удаётся записать экспорт: {}"),
    // What the system says.
    ("it is not a file", "это не файл"),
    ("it is write-protected", "запись в него запрещена"),
    ("it is not there", "такого файла нет"),
    ("access to it is denied", "нет доступа"),
    ("it is a folder", "это папка"),
    ("a part of its path is no folder", "часть пути к нему — не папка"),
    ("there is no space left", "не осталось места"),
    ("nothing can be written there", "записать туда ничего нельзя"),
    // What is wrong in a file.
    ("it is too large ({} bytes)", "он слишком велик ({} байт)|он слишком велик ({} байта)|он слишком велик ({} байт)"),
    ("it is not text (byte {} is not UTF-8)", "это не текст (байт {} — не UTF-8)"),
    ("it is not a JSON object ({})", "это не объект JSON ({})"),
    ("its version is {}, and only version 1 is known", "его версия — {}, а известна только версия 1"),
    ("it has no `version`", "в нём нет `version`"),
    ("is not {} ({})", "— не {} ({})"),
    ("a list of patterns", "список шаблонов"),
    ("a list of commands", "список команд"),
    ("an object of counts", "объект с количествами"),
    ("an object", "объект"),
    ("an object whose `{}` is a text", "объект, у которого `{}` — текст"),
    ("has no text as entry {}", "содержит не текст в записи {}"),
    ("is broken at entry {}: {}", "содержит испорченную запись {}: {}"),
    ("it is not an object", "это не объект"),
    ("there is no `command`", "нет `command`"),
    ("`command` is not a text", "`command` — не текст"),
    ("`approvals` is not a count", "`approvals` — не количество"),
    ("`lastSeen` is not a text", "`lastSeen` — не текст"),
    ("has no count at {}", "не содержит количества у {}"),
    // Why a line doesn't count for a command.
    ("it has the character `{}`", "в ней есть знак `{}`"),
    ("{} is an absolute path", "{} — абсолютный путь"),
    ("{} may lead out of the project", "{} может вести за пределы проекта"),
    ("{} does more than read", "{} делает больше, чем читает"),
    ("it is not proven to only read within the project", "не доказано, что она только читает внутри проекта"),
];
