import { openLane } from "./browser.mjs";
import { schemes, sizes, states, zooms } from "./states.mjs";

/** Pages that are open at the same time. */
const AT_ONCE = 3;

/**
 * Colours don't depend on the room that there is: the dark is looked at where there is most of it, and least. A whole view
 * is looked at in every language; a detail in one, and where nothing new can be seen not at all.
 */
function isLookedAt({ state, form: { size, scheme, zoom, language } }) {
  const isMost = size.name === "wide" && zoom === 100;
  const isLeast = size.name === "narrow" && zoom === 200;
  // Contrast is for whole views, where there is most to see.
  if (/^(?:more|forced)-/.test(scheme)) return isMost && state.languages !== undefined && language === "english";
  if (scheme === "dark") return isMost || (isLeast && state.languages !== undefined);
  return state.languages !== undefined || size.name === "narrow" || zoom === 100;
}

const nameOf = (state, language, { size, scheme, zoom }) =>
  [state.name, language === "english" ? "" : language, size.name, scheme, zoom].filter(Boolean).join("-");

/** Every state in every form whose name contains one of `picks`; all of them if there are none. */
export function pictures(picks) {
  const forms = schemes.flatMap((scheme) => zooms.flatMap((zoom) => sizes.map((size) => ({ size, scheme, zoom }))));
  const all = states.flatMap((state) =>
    (state.languages ?? ["english"]).flatMap((language) =>
      forms.map((form) => ({ name: nameOf(state, language, form), state, form: { ...form, language } })),
    ),
  );
  const looked = all.filter(isLookedAt);
  return picks.length ? looked.filter(({ name }) => picks.some((pick) => name.includes(pick))) : looked;
}

/** Does `work` for each of `items`, a few at a time; each lane has a page of its own, used over and over. */
export async function each(stage, items, work) {
  const left = [...items];
  const run = async () => {
    const lane = await openLane(stage);
    for (let item = left.shift(); item; item = left.shift()) await work(item, lane);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}
