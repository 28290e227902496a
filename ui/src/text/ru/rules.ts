import type {
  EvidenceBy,
  ExportedFrom,
  HeldCheck,
  ImportFate,
  LearnProblem,
  PresetProblem,
  RulesProject,
  RulesState,
} from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");

const times = (count: number) => plural(count, { one: "# раз", few: "# раза", many: "# раз", other: "# раза" });

/** What a file is like, in a few words. */
function brief({ state, preset, learned }: RulesProject): string {
  switch (state.state) {
    case "none":
      return "файла ещё нет";
    case "fine":
      return plural(preset + learned, { one: "# строка", few: "# строки", many: "# строк", other: "# строки" });
    case "broken":
      return "испорчен";
    case "unusable":
      return "непригоден";
  }
}

/** What a file is like, in one sentence. */
function state(how: RulesState): string {
  switch (how.state) {
    case "none":
      return "Файла ещё нет. Он появится, когда будет что запомнить, и начнётся со строк, которые показаны ниже.";
    case "fine":
      return "";
    case "broken":
      return how.version
        ? "Версия этого файла Gavel неизвестна. По нему ничего не проходит, и он остаётся как есть."
        : "Этот файл испорчен. По нему ничего не проходит, и он остаётся как есть.";
    case "unusable":
      return "Этот файл использовать нельзя. По нему ничего не проходит.";
  }
}

/** Why a preset line never counts. */
function never(problem: PresetProblem): string {
  switch (problem.problem) {
    case "empty":
      return "Под неё ничего не подходит.";
    case "character":
      return `Она никогда не действует: о командах с символом ${problem.what} спрашивают всегда.`;
    case "absolute":
      return `Она никогда не действует: ${problem.what} — абсолютный путь.`;
    case "upwards":
      return `Она никогда не действует: ${problem.what} может вести за пределы проекта.`;
    case "flag":
      return `Она никогда не действует: ${problem.what} не только читает.`;
    case "unproven":
      return `Она никогда не действует: ни для чего подобного не доказано, что оно только читает. \`${problem.example}\`: ${problem.why}.`;
  }
}

function notLearned(problem: LearnProblem): string {
  switch (problem.problem) {
    case "no_line":
      return "Выучить можно только одну целую командную строку.";
    case "destructive":
      return `Выучено не будет никогда, потому что разрушает: ${problem.why}.`;
  }
}

/** Which strict check holds a command back, and what it found. */
function held(check: HeldCheck, what: string): string {
  switch (check) {
    case "character":
      return `в команде есть символ ${what}, который может что-то значить для оболочки`;
    case "absolute":
      return `аргумент ${what} — абсолютный путь`;
    case "upwards":
      return `аргумент ${what} может вести за пределы проекта`;
    case "flag":
      return `параметр ${what} не только читает`;
    case "proven":
      return `не доказано, что она лишь читает внутри проекта: ${what}`;
    case "disk":
      return `диск не подтверждает, что она лишь читает: ${what}`;
  }
}

const by: Record<EvidenceBy, [string, string]> = {
  human: ["вы разрешили", "вы отклонили"],
  judge: ["судья разрешил", "судья отклонил"],
};

const from: Record<ExportedFrom, string> = {
  floor: "всё остальное",
  preset: "только чтение",
  learned: "выучено",
  exception: "исключение",
};

/** What can become of a line of a configuration. */
function fate(of: ImportFate): string {
  switch (of.fate) {
    case "preset":
      return "Может стать строкой для команд, которые только читают. Строгие проверки остаются.";
    case "learned":
      return "Это одна точная команда: может проходить впредь.";
    case "present":
      return "Уже есть в файле.";
    case "no_allowance":
      return "Спрашивает или отклоняет. Файлы правил умеют только разрешать; за этим и дальше следит OpenCode.";
    case "never":
      return never(of.why);
    case "not_learned":
      return notLearned(of.why);
    case "taken_back":
      return `Не берётся: более поздняя строка ${of.by} велит об этом или о части этого спрашивать.`;
    case "everything":
      return "Пропускает любую команду. Это режим, а не правило.";
  }
}

/** Who approved how often. */
function approvals(count: number, human: number): string {
  if (count === 0) return "пропущено вручную";
  const all = `разрешено ${times(count)}`;
  if (human === count) return `${all}, вами`;
  return human === 0 ? `${all}, судьёй` : `${all}: ${human} — вами, ${count - human} — судьёй`;
}

export const rules: Catalogue["rules"] = {
  title: "Правила",
  intro: "Команды, которые проходят без вопроса, по проектам. Файл общий с плагином opencode-auto-permission.",
  project: "Проект",
  projects: (count) => plural(count, { one: "# проект", few: "# проекта", many: "# проектов", other: "# проекта" }),
  brief,
  loading: "Читаем правила …",
  emptyTitle: "Правил пока нет ни у одного проекта.",
  empty:
    "Проект появляется здесь с первым своим сеансом. Что в нём только читает, проходит само, насколько это доказуемо: ls, cat, git status и подобное. Что вы разрешили трижды подряд, выучивается буква в букву и дальше проходит. Всё это видно здесь вместе с тем, что к этому привело, и отменяется одним нажатием.",
  toServers: "Серверы",
  toPreferences: "Настройки",
  off: "Правила выключены: сейчас по ним ничего не проходит.",
  nobodys: "Файлы, о которых нельзя сказать, чьи они",
  nobodysWhy:
    "Ни для какого проекта они не действуют. Если вместо каждой косой черты в имени стоит %2F, ясно, о каком проекте речь: %2Fhome%2Fme%2Fshop.json.",

  file: "Файл",
  copyPath: "Копировать путь",
  copied: "Скопировано.",
  notCopied: "Скопировать не удалось: выделите вручную.",
  state,
  faults: "Что с ним не так",
  fault: (why) => `Ошибка в файле: ${why}.`,
  repair:
    "Исправьте его в редакторе или уберите: тогда начнётся новый. Это будет замечено сразу. Строки, которые удалось прочесть, показаны ниже; ни одна из них не действует.",
  update: "Возможно, его знает более новый плагин или более новый Gavel.",
  waiting: (count) =>
    plural(count, {
      one: "# изменение ждёт записи; оно уже действует.",
      few: "# изменения ждут записи; они уже действуют.",
      many: "# изменений ждут записи; они уже действуют.",
      other: "# изменения ждут записи; они уже действуют.",
    }),

  filter: "Фильтр строк",
  filterHint: "Часть команды …",
  noMatch: "Подходящих строк нет.",

  preset: "Только чтение",
  presetIntro:
    "Шаблоны для команд, которые только читают. Строка действует, лишь если команда простая и доказано, что она читает внутри проекта, поэтому широкая строка здесь не вредит. Порядок строк значения не имеет.",
  presetNone: "Нет. Ничто не проходит только потому, что лишь читает.",
  presetList: "Строки для команд, которые только читают",
  builtIn: "встроено",
  everything:
    "Подходит к любой команде. Другие программы, которые читают этот файл, могут проверять слабее и пропустить больше.",
  never,
  passed: (count) => `пропустила ${times(count)}`,
  lastPassed: (ago) => `последний раз ${ago}`,
  add: "Добавить строку",
  addLabel: "Новая строка",
  addHint:
    "* означает любой текст, ? — один символ. Строка, которая кончается на « *», подходит и к команде без аргументов.",
  addButton: "Добавить",
  edit: "Изменить",
  editNamed: (line) => `Изменить ${line}`,
  editLabel: "Изменённая строка",
  save: "Сохранить",
  cancel: "Отмена",
  checking: "Проверяем …",
  present: "Эта строка уже есть в файле.",
  would: "Прошло бы, например:",
  wouldNot: "По-прежнему спросили бы:",
  weaker: "Плагин, с которым файл общий, проверяет меньше и может пропустить по ней больше:",

  learned: "Выучено",
  learnedIntro: "Точные команды, которые дальше проходят. Порядок значения не имеет.",
  learnedNone: "Пока ничего. Что разрешено трижды подряд, буква в букву, появится здесь.",
  learnedList: "Выученные команды",
  approvals,
  seen: (ago) => `в последний раз ${ago}`,
  destructive: "Она разрушает, поэтому о ней всё равно спрашивают.",
  evidence: (count) =>
    plural(count, {
      one: "# запрос в журнале",
      few: "# запроса в журнале",
      many: "# запросов в журнале",
      other: "# запроса в журнале",
    }),
  evidenceNamed: (line) => `Что привело к ${line}`,
  evidenceNone: "В журнале запросов нет: выучено в другом месте или внесено вручную.",
  by: (who, allowed) => by[who][allowed ? 0 : 1],
  inSession: (title) => `в «${title}»`,

  pending: "На подходе",
  pendingIntro: "Команды, которые разрешали, но ещё недостаточно часто. Один отказ — и счёт начинается заново.",
  pendingList: "Команды на подходе",
  countOf: (count, all) => `${count} из ${all}`,
  byYou: (count) => `${count} — вами`,
  letPass: "Впредь пропускать",
  letPassNamed: (line) => `Впредь пропускать ${line}`,
  forget: "Забыть",
  forgetNamed: (line) => `Забыть ${line}`,
  notLearned,

  suggestions: "Это вы разрешаете снова и снова",
  suggestionsIntro: "Любая из них может впредь проходить, ровно в таком виде.",
  suggestionsList: "Предложенные команды",
  suggested: (count) => `разрешено ${times(count)}`,

  remove: "Удалить",
  removeNamed: (line) => `Удалить ${line}`,
  gone: "удалено",
  goneNamed: (line) => `Удалено: ${line}`,
  undo: "Вернуть",
  undoNamed: (line) => `Вернуть ${line}`,
  added: (line) => `Добавлено: ${line}`,
  changed: (line) => `Изменено на: ${line}`,
  passes: (line) => `Впредь проходит: ${line}`,
  undone: "Отменено.",
  undoLast: "Отменить последнее изменение",
  unchanged: "Этой строки уже не было: файл изменил кто-то другой.",

  tester: "Какое правило подходит к этой команде?",
  testerIntro: "Проверяем, как если бы агент сейчас попросил запустить её в проекте. Ничего не запускается.",
  command: "Команда",
  try: "Проверить",
  tried: {
    passes_preset: "Проходит, потому что только читает. По строке",
    passes_learned: "Проходит, потому что выучена. По строке",
    held: "Спросят вас. Строка",
    heldEnd: (why) => `к ней подходит, но ${why}.`,
    destructive: "Спросят вас. Она выучена, но разрушает. Строка:",
    uncovered: "Спросят вас: к ней не подходит ни одна строка.",
    no_line: "Спросят вас: это не одна строка, или она слишком длинная. Правила бывают только об отдельных строках.",
    no_rules: "Спросят вас: файл использовать нельзя, поэтому по нему ничего не проходит.",
  },
  held,
  triedOff: "Правила выключены, поэтому вас спросят в любом случае.",

  exchange: "Конфигурация самого OpenCode",
  exchangeIntro: "Эти строки как правила OpenCode, и наоборот. Туда ничего не записывается.",
  export: "Экспорт",
  import: "Импорт",
  exportIntro:
    "OpenCode смотрит только на шаблон: ничего не доказывает и на диск не глядит. Из всех подходящих правил действует последнее, поэтому порядок важен: исключения стоят после того, что они сужают.",
  exportList: "Правила по порядку",
  from,
  idle: "не действует: её перекрывает более поздняя",
  up: "Выше",
  upNamed: (line) => `Переместить ${line} выше`,
  down: "Ниже",
  downNamed: (line) => `Переместить ${line} ниже`,
  leaveOut: "Убрать",
  leaveOutNamed: (line) => `Убрать ${line}`,
  original: "Как вначале",
  tooWide: "Не вошли, потому что никакие исключения не удержали бы того, чего Gavel по ним никогда не пропускает:",
  leftOut: "Не вошли, потому что как шаблоны подошли бы не только к самим себе:",
  wider:
    "Что OpenCode по шаблону пропустит, а Gavel нет: другие параметры, которые пишут или запускают, ссылки за пределы проекта, настройки git, запускающие программы, файлы с секретами под другими именами или под своими, но записанными через подстановочные знаки или обратную косую черту.",
  version: "Для",
  v1: "OpenCode 1",
  v2: "OpenCode 2",
  text: "Конфигурация",
  copyText: "Копировать",
  paste: {
    v1: "Место этому в opencode.json. Если там уже есть «permission», внесите эти строки в него.",
    v2: "Место этому в opencode.json. Если там уже есть «permissions», добавьте эти строки в конец.",
  },

  importIntro:
    "Вставьте конфигурацию или прочтите ту, что есть у проекта. Она только читается, и без нажатия ничего не берётся.",
  importLabel: "Конфигурация OpenCode, в JSON или JSONC",
  read: "Показать, что она разрешает",
  readOwn: "Прочесть конфигурацию проекта",
  importList: "Правила о командах",
  importNone: "О командах в ней ничего нет.",
  readFrom: (place) => `Прочитано из ${place}`,
  agents: (names) => `Агенты со своими правилами, которые остаются нетронутыми: ${names}`,
  fate,
  effects: { allow: "разрешить", ask: "спросить", deny: "отклонить" },
  take: "Взять",
  takeNamed: (line) => `Взять ${line}`,
  taken: "взято",
};
