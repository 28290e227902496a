import type { Failure } from "../../bindings/api";

/** What a call is refused with. */
export const failure = (code: Failure["code"], message: string, hint: string): Failure => ({ code, message, hint });
