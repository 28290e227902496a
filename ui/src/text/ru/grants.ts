import type { Lasts } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");

/** What ends a grant, whatever comes first; `left` says how long something still takes. */
function ends(lasts: Lasts, left: (until: number) => string): string {
  const words: string[] = [];
  if (lasts.until !== null) words.push(`через ${left(lasts.until)}`);
  if (lasts.uses !== null) {
    words.push(
      plural(lasts.uses, {
        one: "после ещё # использования",
        few: "после ещё # использований",
        many: "после ещё # использований",
        other: "после ещё # использования",
      }),
    );
  }
  if (lasts.for_run) words.push("вместе с работой агента");
  return `Закончится ${words.length ? words.join(" или ") : "вместе с сеансом"}`;
}

export const grants: Catalogue["grants"] = {
  title: "Разрешения",
  intro:
    "То, что вы разрешили на сеанс. Оно проходит без вопросов, пока разрешение не закончится или не будет отозвано.",
  list: "Разрешения",
  count: (count) =>
    plural(count, { one: "# разрешение", few: "# разрешения", many: "# разрешений", other: "# разрешения" }),
  patterns: (title) => `Что разрешено с запроса: ${title}`,
  session: (title) => `в «${title}»`,
  unknownSession: "в сеансе, о котором ещё ничего не известно",
  on: (server) => `на ${server}`,
  children: "вместе с субагентами",
  givenFor: (title) => `Дано для: ${title}`,
  since: (ago) => `дано ${ago}`,
  ends,
  used: (count) =>
    count === null
      ? "сервер пропускает сам, без счёта"
      : count === 0
        ? "ещё не использовалось"
        : plural(count, {
            one: "использовано # раз",
            few: "использовано # раза",
            many: "использовано # раз",
            other: "использовано # раза",
          }),
  takeBack: "Отозвать",
  takeBackNamed: (pattern) => `Отозвать ${pattern}`,
  takenBack: (pattern) => `Отозвано: ${pattern}`,
  leaving: (seconds) => `отозвано; вернуть можно ещё ${seconds} с`,
  undo: "Вернуть",
  undoNamed: (pattern) => `Вернуть ${pattern}`,
  emptyTitle: "На сеанс ничего не разрешено.",
  empty:
    "Спрашивают об одном и том же снова и снова? Нажмите G на запросе: вместе с ним вы разрешите то, что предложил сервер, или меньше, и только для этого сеанса. У разрешения может быть срок; здесь видно, сколько раз им пользовались, и отозвать его можно одним нажатием.",
  emptyAlways: "Что разрешено навсегда, вне сеансов, видно в разделе «Серверы», «Постоянные разрешения».",
  toInbox: "Входящие",
  toServers: "Серверы",
};
