/** The server's own words for what is wrong with an answer, up to the name of the field. */
export const PROBLEMS = new Map([
  ["Expected URI for form field", "Нужен адрес (`URI`) в поле"],
  ["Expected boolean for form field", "Нужно «да» или «нет» в поле"],
  ["Expected date for form field", "Нужна дата в поле"],
  ["Expected date-time for form field", "Нужны дата и время в поле"],
  ["Expected email for form field", "Нужен адрес почты в поле"],
  ["Expected integer for form field", "Нужно целое число в поле"],
  ["Expected number for form field", "Нужно число в поле"],
  ["Expected string array for form field", "Нужен список текстов в поле"],
  ["Expected string for form field", "Нужен текст в поле"],
  ["External form field must be acknowledged", "Нужно подтверждение в поле"],
  ["Form field does not match pattern", "Не подходит под шаблон поле"],
  ["Form field is not active", "Не действует поле"],
  ["Form field is too large", "Слишком большое число в поле"],
  ["Form field is too long", "Слишком длинный текст в поле"],
  ["Form field is too short", "Слишком короткий текст в поле"],
  ["Form field is too small", "Слишком маленькое число в поле"],
  ["Invalid option for form field", "Такого варианта нет в поле"],
  ["Missing required form field", "Не заполнено обязательное поле"],
  ["Too few selections for form field", "Выбрано слишком мало в поле"],
  ["Too many selections for form field", "Выбрано слишком много в поле"],
  ["Unknown form field", "Неизвестное поле"],
]);

/** `said` in Russian; as it is where it isn't one of these. */
export function problem(said: string): string {
  const at = said.indexOf(": ");
  const words = PROBLEMS.get(said.slice(0, at));
  return words === undefined ? said : words + said.slice(at);
}
