import type { JudgeChoice, JudgeTest, Recommendation } from "../../bindings/api";
import type { Preset } from "../../state/judge";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");

const who: Record<JudgeChoice["who"], string> = {
  off: "Никто",
  session_model: "Модель самого сеанса",
  endpoint: "Модель по вашему выбору",
};

const whoMeans: Record<JudgeChoice["who"], string> = {
  off: "Модель не спрашивают. Разбор на этом компьютере по-прежнему объясняет, что делает команда.",
  session_model:
    "Модель, которая работает в сеансе, сама и судит о его запросах — через провайдера, который у неё уже есть. Каждое мнение стоит там сколько-то токенов. Если ключ провайдера недоступен, свою модель спрашивает сервер; OpenCode 1.x делает это в отдельном сеансе, который сразу завершается и нигде не показан.",
  endpoint: "Одна модель на все сеансы, у любого провайдера или на этом компьютере.",
};

const presets: Record<Preset["id"], string> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  groq: "Groq",
  openrouter: "OpenRouter",
  together: "Together",
  ollama: "Ollama на этом компьютере",
  litellm: "LiteLLM на этом компьютере",
};

const providers: Record<JudgeChoice["provider"], string> = {
  openai: "OpenAI или совместимый (chat completions)",
  anthropic: "Anthropic (messages)",
};

/** Where the key comes from, in one line. */
function keyFrom(key: JudgeChoice["key"]): string {
  switch (key.from) {
    case "nowhere":
      return "Нет";
    case "keychain":
      return "В хранилище";
    case "variable":
      return `Из $${key.name}`;
  }
}

/** Who judges now. */
function now(choice: JudgeChoice, address: string, byDefault: boolean): string {
  if (byDefault) return "Судью вы не выбрали, поэтому о запросах каждого сеанса судит модель, которая в нём работает.";
  switch (choice.who) {
    case "off":
      return "Никто не судит: на всё, что не пропускают правила, отвечаете вы.";
    case "session_model":
      return "О запросах каждого сеанса судит модель, которая в нём работает.";
    case "endpoint":
      return `Судит ${choice.model} по адресу ${address}.`;
  }
}

const would: Record<Recommendation, string> = {
  allow: "Судья разрешил бы.",
  deny: "Судья отклонил бы.",
  ask: "Судья оставил бы решение вам.",
};

const tokens = (count: number | null, what: string) =>
  count === null
    ? []
    : [`${what} ${plural(count, { one: "# токен", few: "# токена", many: "# токенов", other: "# токена" })}`];

/** What a test cost, as far as that is told. */
function cost({ took, asked_tokens, answered_tokens }: JudgeTest): string {
  return [`${took} мс`, ...tokens(asked_tokens, "вопрос:"), ...tokens(answered_tokens, "ответ:")].join(" · ");
}

export const judge: Catalogue["judge"] = {
  title: "Судья",
  intro:
    "Языковая модель, которая даёт второе мнение о том, что не пропускают правила. В режиме «Авто» её ясное «да» разрешает запрос один раз, а ясное «нет» отклоняет его; во всех других режимах она только советует. Что бы ни пошло не так, решаете вы.",
  toModes: "Выбрать режимы",

  byDefault:
    "Вы ещё не выбрали. Пока это так, модель, которая работает в сеансе, высказывается и о каждом его запросе, который не пропускают правила. Сохраните то, что хотите, хотя бы «Никто», и эта заметка исчезнет.",
  fixed: (variable) =>
    `Кто судит, решает переменная окружения ${variable}, поэтому здесь этого не выбрать. Чтобы выбирать, уберите её и запустите Gavel заново.`,
  setup: "Кто судит",
  who,
  whoMeans,
  presets: "Заполнить для",
  preset: presets,
  api: "API",
  providers,
  address: "Адрес",
  inTheClear:
    "Всё, что туда отправляется, можно прочесть по пути, и ключ тоже: адрес начинается с http:// и находится не на этом компьютере.",
  model: "Модель",
  modelHint: "Так, как её называет провайдер",
  key: "Ключ",
  keyPlace: "Откуда брать ключ",
  keyFrom,
  keychain: "Хранилище",
  variable: "Переменная окружения",
  noKey: "Без ключа",
  keyKept: "Для этого адреса ключ в хранилище есть. Новый займёт его место.",
  keyUnknown: "Хранит операционная система, только для этого адреса и не в файле Gavel.",
  variableName: "Имя переменной",
  variableNote: "Gavel запомнит только имя переменной.",
  noKeychain: "Хранилища паролей здесь нет, поэтому Gavel не может сохранить ключ.",
  noKeychainAlternative: "Вместо этого положите его в переменную окружения и укажите какую.",
  forget: "Забыть ключ",
  forgotten: (seconds) => `Ключ забыт. Вернуть его можно ещё ${seconds} с.`,
  undo: "Вернуть",
  save: "Сохранить",
  saving: "Сохраняем …",
  saved: "Сохранено.",
  unsaved: "Ещё не сохранено.",

  state: "Как идут дела",
  now,
  starting: "Ключ берётся из хранилища …",
  counts: (asked, answered) =>
    asked === 0
      ? "С тех пор как судья настроен, его ещё не спрашивали."
      : `С тех пор как судья настроен, его спросили о ${plural(asked, { one: "# запросе", few: "# запросах", many: "# запросах", other: "# запроса" })}; мнение нашлось о ${answered}.`,
  failed: (ago, why) => `Последняя неудача — ${ago}: ${why}`,
  pausedIntro: "В этих ветках судья отклонил слишком много, и отвечаете там вы, пока не решите иначе:",
  pausedList: "Ветки, в которых судья не отвечает",
  untitled: "Сеанс без названия",
  again: "Пусть снова отвечает",
  againNamed: (title) => `Пусть снова отвечает в «${title}»`,

  test: "Проверить",
  testIntro:
    "Спрашивает судью — такого, какой сохранён, — о команде. Ничего не запускается, и ни одно ваше место не называется.",
  testSession: "Спросят модель сеанса, который работает, а если такого нет — любого известного.",
  command: "Команда",
  commandHint: "npm test",
  ask: "Спросить судью",
  asking: "Спрашиваем …",
  stop: "Прервать",
  would,
  noVerdict: "Мнения нет: такой запрос остаётся вам.",
  cost,
  exchange: "Всё, что было сказано",
  nothingSent: "Ничего не отправлено.",
  sent: "Отправлено",
  received: (status) => (status === null ? "Ничего не пришло" : `Получено, статус HTTP ${status}`),
  round: (name, number, all) => (all > 1 ? `${name} (${number} из ${all})` : name),

  told: "Что ему сообщают",
  toldWhat:
    "О чём просят (команда, правка, путь или адрес), где, что нашёл разбор на этом компьютере и, если вы позволите, ваше последнее сообщение в этом сеансе.",
  toldNever:
    "Никогда — то, что агент говорит о себе, вывод его инструментов и прежние мнения; а ключи, пароли и другие секреты скрываются прежде, чем что-либо покинет этот компьютер.",

  options: "Подробные настройки",
  tools: "Судить только о",
  toolsHint:
    "Виды запросов через запятую, например shell, edit, webfetch. Пусто: обо всём, кроме external_directory, — о нём судят, только если он здесь назван.",
  toolsAll: "всё, кроме external_directory",
  skipTools: "Никогда не судить о",
  skipToolsHint: "Виды запросов, которые всегда остаются вам. Это важнее поля выше.",
  timeoutMs: "Сколько ждать, в секундах",
  timeoutMsHint: "Кто думает дольше, мнения не даёт. Тем временем вы можете ответить сами, как всегда.",
  maxMetadataChars: "От запроса — не больше (символов)",
  maxMetadataCharsHint: "Что длиннее, обрезается, и разрешить такое судья не может.",
  sessionContext: "Передавать ваше последнее сообщение",
  sessionContextHint: "Из него ясно, о чём работа. Вреда оно никогда не оправдывает.",
  maxContextChars: "От вашего сообщения — не больше (символов)",
  maxContextCharsHint: "Остальное опускается.",
  maxDecisionTokens: "На ответ — не больше (токенов)",
  maxDecisionTokensHint: "Размышления считаются. Оборванный ответ — не мнение.",
  systemPrompt: "Ваши указания",
  systemPromptHint:
    "Они заменяют указания Gavel, которые велят быть осторожным и говорят, как отвечать. Пусто: указания Gavel.",
  cache: "Помнить мнения в пределах сеанса",
  cacheHint: "Об одном и том же дважды не судят. Что было оставлено вам, не запоминается.",
  cacheMax: "Сколько помнить",
  cacheMaxHint: "Место уступает то, что дольше всех не пригодилось.",
  learnAfter: "Выучивать команду после стольких разрешений",
  learnAfterHint:
    "Столько раз подряд судья или вы должны разрешить команду, чтобы в своём проекте она проходила сама. 0: ничего не выучивается.",
  between: (least, most) => `Число от ${least} до ${most}.`,
  tooLong: (most) => `Не больше ${most} символов.`,
  reset: "Вернуть исходные",
  resetDone: "Исходные настройки возвращены.",
};
