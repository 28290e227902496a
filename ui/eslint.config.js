import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

/** Only the host may know that there is a Tauri, and only the host's own folder may know the fake. */
const hostOnly = {
  patterns: [
    { group: ["@tauri-apps/*"], message: "Only src/host may import Tauri: ask the Host instead." },
    { group: ["**/host/tauri", "**/host/fake", "**/host/fake/*"], message: "Import src/host instead." },
  ],
};

export default ts.config(
  { ignores: ["dist", "visual/dist", "visual/shots", "src/bindings"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      "no-restricted-imports": ["error", hostOnly],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/switch-exhaustiveness-check": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // What the agent wrote is shown as text, never as markup.
    files: ["**/*.svelte"],
    rules: { "svelte/no-at-html-tags": "error", "svelte/require-each-key": "error" },
  },
  { files: ["src/host/**", "src/**/*.test.ts", "src/test/**"], rules: { "no-restricted-imports": "off" } },
  { files: ["*.js", "*.ts", "visual/**"], languageOptions: { globals: { ...globals.node } } },
);
