/** The forms a language distinguishes; `#` stands for the number. Forms a language doesn't use are left out. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Picks the form that fits a number in a language. */
export type Plural = (count: number, forms: Forms) => string;

/** The plural of one language: English has `one` and `other`, Russian `one`, `few`, `many` and `other`. */
export function pluralOf(locale: string): Plural {
  const rules = new Intl.PluralRules(locale);
  const digits = new Intl.NumberFormat(locale);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll("#", digits.format(count));
}
