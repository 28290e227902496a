import type { Effect, Mode, RuleState, Scope, Stance, TrialSource } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");

const names: Record<Mode, string> = {
  full_access: "Полный доступ",
  supervised: "Под надзором",
  auto: "Авто",
  auto_accept_edits: "Правки без вопросов",
};

const means: Record<Mode, string> = {
  full_access: "Ни о чём не спрашивают: любая команда выполняется, любой файл меняется, в том числе вне проекта.",
  supervised: "О командах, правках и обо всём вне проекта спрашивают, отвечаете вы.",
  auto: "Спрашивают, как под надзором, но вместо вас может ответить судья, если он настроен; без судьи отвечаете вы.",
  auto_accept_edits: "Файлы проекта правятся без вопросов; о командах и обо всём вне проекта спрашивают.",
};

/** What was chosen, in one line. */
function stance({ mode, plan, subagents }: Stance): string {
  return [names[mode], plan && "только план", !subagents && "без субагентов"].filter(Boolean).join(", ");
}

/** Where nothing is chosen, somebody else decides. */
const leftTo: Record<Scope["scope"], string> = {
  server: "На усмотрение OpenCode",
  project: "Как у сервера",
  session: "Как у проекта",
};

/** Whose choice counts for a session. */
function from(scope: Scope, isOwn: boolean): string {
  switch (scope.scope) {
    case "session":
      return isOwn ? "выбрано здесь" : "от вышестоящего сеанса";
    case "project":
      return "от проекта";
    case "server":
      return "от сервера";
  }
}

/** How far the server knows of it; `sentence` makes one of the backend's words. */
function state(how: RuleState, sentence: (message: string) => string): string {
  switch (how.state) {
    case "stands":
      return "Действует.";
    case "under_way":
      return how.again ? "Устанавливается; затем будет установлено выбранное последним …" : "Устанавливается …";
    case "failed":
      return `Не действует: установить не удалось, Gavel попробует ещё раз. ${sentence(how.why)}`;
    case "unsupported":
      return "Не действует: для этого сеанса режим установить нельзя, потому что сервер не принимает для него правил или не следует им. В «Правилах» есть конфигурация, которую можно взять вместо этого.";
    case "overruled":
      return "Не действует: другая программа раз за разом ставит этому сеансу другие правила.";
  }
}

const effects: Record<Effect, string> = {
  allow: "Проходит без вопросов.",
  ask: "Спрашивают.",
  deny: "Отклоняется без вопросов.",
};

const sources: Record<TrialSource, string> = {
  agent: "из правил самого агента: стандартных или из конфигурации OpenCode",
  session: "из правил сеанса: от режима, разрешения или другой программы",
  none: "",
};

export const modes: Catalogue["modes"] = {
  title: "Режимы",
  intro:
    "Сколько агентам позволено без вопросов. Выбранное для сеанса важнее выбранного для проекта, а оно важнее выбранного для сервера. Где не выбрано ничего, решают правила самого OpenCode.",
  servers: "Серверы",
  projects: "Проекты",
  sessions: "Сеансы",
  none: {
    servers: "Ни один сервер не под наблюдением.",
    projects: "Проектов пока нет. Проект появляется здесь с первым своим сеансом и хранит то, что для него выбрано.",
    sessions: "Сеансов пока нет. Новые получают то, что выбрано для их проекта или сервера, сразу как появятся.",
  },
  filter: "Фильтр сеансов",
  filterHint: "Название, проект, сервер …",
  noMatch: "Подходящих сеансов нет.",
  shown: (count, all) =>
    `${count} из ${plural(all, { one: "# сеанса", few: "# сеансов", many: "# сеансов", other: "# сеанса" })}`,
  untitled: "Сеанс без названия",
  names,
  means,
  stance,
  leftTo,
  from,
  openCode: "Решает OpenCode",
  state,
  running: "работает",
  child: "субагент",
  agent: (name) => `агент ${name}`,
  in: (project, server) => `${project} на ${server}`,

  change: "Изменить",
  changeNamed: (name) => `Изменить режим: ${name}`,
  form: (name) => `Режим: ${name}`,
  choose: "Режим",
  leave: leftTo,
  leaveMeans: {
    server: "Ничего не задано: о чём спрашивать, решают правила и конфигурация самого OpenCode.",
    project: "Действует выбранное для сервера; если там ничего не выбрано, решает OpenCode.",
    session:
      "Действует выбранное для вышестоящего сеанса, проекта или сервера; если нигде ничего не выбрано, решает OpenCode.",
  },
  warning: "Перед запуском никого не спрашивают. Выбирайте только там, где нечего терять.",
  noJudge: "Судьи пока нет, поэтому на всё отвечали бы вы, как под надзором. Выбрать судью можно и раньше, и позже.",
  toJudge: "Судья",
  plan: "Только план",
  planHint: "Поверх режима: не меняется ни один файл, кроме плана.",
  subagents: "Субагенты",
  subagentsHint: "Агент может запускать собственных агентов.",
  save: "Установить",
  saving: "Устанавливается …",
  cancel: "Отмена",

  rules: "Правила",
  rulesNamed: (name) => `Правила: ${name}`,
  rulesIntro: "Из всех подходящих правил действует последнее. Эти идут после собственных правил агента.",
  incomplete:
    "Сервер не сообщил, какими местами его агенты могут пользоваться сами, например для длинного вывода. Они добавятся, когда режим будет установлен.",
  nowhere: "Правила станут известны, когда появится сеанс.",
  rulesFailed: "Не удалось выяснить правила.",
  copyLines: "Копировать правила",
  copyV2: "Копировать для OpenCode 2",
  copyV1: "Копировать для OpenCode 1",
  copyHint: "Конфигурация действует на все сеансы проекта: вставьте её в его opencode.json.",
  noV1: "OpenCode 1 не умеет сказать то же в конфигурации.",
  copied: "Скопировано.",
  notCopied: "Скопировать не удалось: выделите правила вручную.",

  tester: "Проверить правило",
  testerIntro: "Что произошло бы в сеансе, если бы его агент захотел это сделать? Ничего не запускается.",
  session: "Сеанс",
  action: "Действие",
  resource: "Команда, путь или адрес",
  resourceHint: "npm test",
  try: "Проверить",
  trying: "Проверяем …",
  effects,
  decidedBy: "Решает правило:",
  sources,
  noRule: "Ни одно правило не подходит, а о том, к чему не подходит ни одно, спрашивают.",
  missing: "Напишите, что захотел бы сделать агент.",
};
