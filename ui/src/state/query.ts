import type { Query } from "../bindings/api";

/** The query that asks for nothing in particular. */
export const everything = (): Query => ({
  text: "",
  server: null,
  project: null,
  action: null,
  ending: null,
  answerer: null,
  from: null,
  until: null,
});
