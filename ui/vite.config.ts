/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** What the app's window is allowed; the pages served for the visual check are held to the same. */
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  // Relative addresses work from a custom protocol as well as from a server.
  base: "./",
  clearScreen: false,
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
  preview: { host: "127.0.0.1", headers: { "Content-Security-Policy": policy } },
  build: {
    // The oldest web views that know container queries.
    target: ["safari16", "chrome106"],
    // An inlined asset would be a `data:` address, which the policy refuses for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    outDir: mode === "fake" ? "visual/dist" : "dist",
    emptyOutDir: true,
  },
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  test: {
    environment: "jsdom",
    setupFiles: ["src/test/setup.ts"],
    include: ["src/**/*.test.ts"],
    restoreMocks: true,
    // Looking for roles in a whole window is slow where there is no browser, and slower on a busy machine.
    testTimeout: 20_000,
  },
}));
