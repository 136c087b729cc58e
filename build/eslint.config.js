// What the linter holds: promises, exhaustiveness, and where time, chance and the environment may enter.

import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import regexp from "eslint-plugin-regexp";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

const noDefaultExport = {
  selector: "ExportDefaultDeclaration",
  message: "Export it by its name; only a tool's config file has a default.",
};
const noEnvironment = {
  selector: [
    "MemberExpression[object.name='process'][property.name='env']",
    "VariableDeclarator[init.name='process'] Property[key.name='env']",
    "ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name='env']",
  ].join(),
  message:
    "Only electron/config.ts and server/content/config.ts read the environment. Take the value as a parameter.",
};
const noIpcMain = {
  selector: [
    "ImportDeclaration[source.value=/^electron/] ImportSpecifier[imported.name='ipcMain']",
    "MemberExpression[property.name='ipcMain']",
  ].join(),
  message:
    "Only electron/ipc.ts touches ipcMain. Add the question to server/contract/ipc/ipc.ts and answer it in electron/manager/manager-calls.ts.",
};
const noClock = {
  selector: [
    "MemberExpression[object.name='Date'][property.name='now']",
    "NewExpression[callee.name='Date'][arguments.length=0]",
    "CallExpression[callee.name='Date']",
  ].join(),
  message: "Core has no clock. Take the moment as a parameter.",
};
const noChance = {
  selector: "MemberExpression[object.name='Math'][property.name='random']",
  message: "Core throws no dice. Take chance as a parameter.",
};

// One rule holds them all and a later entry replaces an earlier one, so each room names its full list.
const refuse = (...selectors) => ({
  "no-restricted-syntax": ["error", ...selectors],
});

export default defineConfig(
  { ignores: ["dist/", "release/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.{ts,tsx,mjs,cjs,js}"],
    extends: [js.configs.recommended],
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      ...refuse(noDefaultExport, noEnvironment, noIpcMain),
    },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true },
    },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "inline-type-imports" },
      ],
      // A function of an asynchronous interface may have nothing to wait for.
      "@typescript-eslint/require-await": "off",
      // What is built to live closes over its state; its functions have no `this` to lose.
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { ignoreRestSiblings: true, argsIgnorePattern: "^_" },
      ],
    },
  },
  {
    // What comes from outside must not be able to hold a thread by its length alone.
    files: ["server/**", "electron/**", "renderer/**"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
  {
    files: ["**/*.{mjs,cjs,js}"],
    languageOptions: {
      // Plain JavaScript is run by Node: what exists here exists there.
      globals: Object.fromEntries(
        Object.getOwnPropertyNames(globalThis).map((name) => [name, false]),
      ),
    },
  },
  {
    files: ["**/*.cjs"],
    languageOptions: {
      sourceType: "commonjs",
      globals: { __dirname: false, __filename: false },
    },
  },
  {
    // Nobody's promise ends a player half-way: each is waited for, or says what happens when it fails.
    files: ["server/**/*.ts", "electron/**/*.ts"],
    rules: {
      "@typescript-eslint/no-floating-promises": [
        "error",
        { ignoreVoid: false },
      ],
    },
  },
  {
    files: ["server/core/**"],
    rules: refuse(noDefaultExport, noEnvironment, noClock, noChance),
  },
  {
    files: [
      "electron/config.ts",
      "server/content/config.ts",
      "server/player/sync/command-line/token.ts",
    ],
    rules: refuse(noDefaultExport, noIpcMain),
  },
  {
    files: ["electron/ipc.ts"],
    rules: refuse(noDefaultExport, noEnvironment),
  },
  {
    files: ["build/**", "test/**"],
    rules: refuse(noDefaultExport, noIpcMain),
  },
  {
    // What an interface answers is JSON of any kind: the expectations judge it, not the types.
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: ["build/*.config.{js,ts}", "build/check/knip-reporter.ts"],
    rules: refuse(noIpcMain),
  },
  {
    files: ["renderer/manager/**"],
    extends: [hooks.configs.flat.recommended],
    // A warning for those who let a compiler memoize for them; here none does.
    rules: { "react-hooks/incompatible-library": "off" },
  },
);
