import type { Dialect, Unasked } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");

/** What is not asked about, and what that means. */
function never({ anything, outside }: Unasked, project: string): string {
  if (anything) return `В ${project} OpenCode не спрашивает никогда: до Gavel дело не дойдёт.`;
  const what = outside ? "о командах, правках и обо всём вне проекта" : "о командах и правках";
  return `В ${project} OpenCode не спрашивает ${what}: до Gavel дело почти не дойдёт.`;
}

/** Where in the file it goes. The last rule that matches counts. */
const paste: Record<Dialect, string> = {
  v1: "Если в файле уже есть «permission», добавьте эти строки в конец; если там только «allow», поставьте их вместо него.",
  v2: "Если в файле уже есть «permissions», добавьте эти строки в конец списка.",
};

export const unasked: Catalogue["unasked"] = {
  title: "Никого не спрашивают",
  intro:
    "То, что там разрешают правила самого OpenCode, делается сразу. Чтобы вас спрашивали, выберите здесь режим или измените конфигурацию OpenCode.",
  never,
  on: (server) => `на ${server}`,
  supervise: "Взять под надзор",
  superviseNamed: (project) => `Взять под надзор ${project}`,
  supervised: (project) => `${project} теперь под надзором.`,
  configuration: "Конфигурация",
  configurationNamed: (project) => `Конфигурация для ${project}`,
  file: "Вставьте в этот файл:",
  paste,
  when: "OpenCode читает конфигурацию при запуске. Если не спрашивают и тогда, последнее слово за другим его файлом; режим действует после всех файлов.",
  copy: "Копировать",
  copied: "Скопировано.",
  notCopied: "Скопировать не удалось: выделите вручную.",
  aside: "Отложить",
  asideNamed: (project) => `Отложить ${project}`,
  wasPutAside: (project) => `${project}: отложено.`,
  asides: (count) =>
    plural(count, {
      one: "# проект отложен",
      few: "# проекта отложены",
      many: "# проектов отложены",
      other: "# проекта отложены",
    }),
  show: "Показать",
  hide: "Скрыть",
  back: "Вернуть",
  backNamed: (project) => `Вернуть ${project}`,
  chosen: (project) => `В ${project} никого не спрашивают, как вы и выбрали: полный доступ.`,
  brief: (projects) => `Никого не спрашивают: ${projects.join(", ")}.`,
  see: "К режимам",
  seeNamed: (server) => `К режимам: где на ${server} никого не спрашивают`,
};
