// Import rules between folders; the comment of each rule says what to do instead.

"use strict";

const anyOfOurs = "^(server|electron|renderer|build|test)/";
/** Where a package is installed, and its bare name while it is not. */
const packages = (...names) =>
  names.flatMap((name) => [
    `(^|/)node_modules/(@types/)?${name}/`,
    `^${name}$`,
  ]);

/** A floor imports itself and the floors named here, and no other part of this project. */
const floor = (name, from, mayImport, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: anyOfOurs, pathNot: mayImport },
});

/** A package that only some folders may import. */
const only = (name, path, home, comment) => ({
  name,
  comment,
  severity: "error",
  from: { pathNot: home },
  to: { path },
});

/** The capabilities of one part of the app, and those of its largest folders. */
const capability =
  "^(electron|server/(cli|core|platform|player|content|player/v2|content/v[34])|renderer/manager|renderer/manager/components|test/support)/[^/]+$";

/** The pages of the manager. */
const pages =
  "^renderer/manager/(account|activity|connections|help|library|now|playlists|reports|schedule|screens|settings|team)/";

const floors = [
  {
    name: "core-imports-nothing",
    comment:
      "Core is pure: no package, no Node, no other floor. Let the caller hand in what the function needs.",
    severity: "error",
    from: { path: "^server/core/" },
    to: { pathNot: "^server/core/" },
  },
  {
    name: "contract-imports-core-and-zod",
    comment:
      "The contract is shared by both sides of every interface: core and zod only. Move code with effects to server/platform, server/player or server/content.",
    severity: "error",
    from: { path: "^server/contract/" },
    to: { pathNot: ["^server/(contract|core)/", ...packages("zod")] },
  },
  floor(
    "platform-knows-nothing-of-ours",
    "^server/platform/",
    "^server/platform/",
    "Platform wraps the outside world and knows nothing about signage. Pass what it needs as a parameter, or move the code to server/player or server/content.",
  ),
  floor(
    "player-and-content-never-on-each-other",
    "^server/(player|content)/",
    "^server/(core|contract|platform|$1)/",
    "Player and content stand on core, contract and platform only. Say in your own parameters what you need; electron/main.ts hands it over.",
  ),
  floor(
    "clients-import-nothing",
    "^server/client/",
    "^server/client/",
    "A client is generated from a description, and knows nothing else of the interface. Let its user hand in what it needs.",
  ),
  floor(
    "command-line-imports-clients",
    "^server/cli/",
    "^server/(cli|client|core|contract|platform)/",
    "The command line uses the interfaces like any other client: through server/client, never through the servers' own code.",
  ),
  floor(
    "renderer-sees-core-and-contract",
    "^renderer/",
    "^(renderer|server/core|server/contract)/",
    "A page asks through window.manager or window.playback. Add a question to server/contract/ipc/ipc.ts instead of reaching behind the bridge.",
  ),
  floor(
    "electron-enters-by-the-doors",
    "^electron/",
    [
      "^electron/",
      "^server/(contract|platform)/",
      // The texts of the system check, which the terminal shows too.
      "^renderer/locales/",
      "^server/(player/player|player/sync/sync|content/content)\\.ts$",
    ],
    "Electron may import contract, platform, the message catalogues, and the entry files player/player.ts, player/sync/sync.ts and content/content.ts. Export what you need from the entry file.",
  ),
  floor(
    "build-reads-the-configuration-only",
    "^build/",
    [
      "^build/",
      "^electron/config\\.ts$",
      "^server/platform/process/end-requests\\.ts$",
      // The descriptions of the interfaces.
      "^server/content/(catalogue|v4/respond/openapi)\\.ts$",
      "^server/contract/(v2/v2|v3/operations/v3)-openapi\\.ts$",
    ],
    "A build script may read electron/config.ts and the descriptions of the interfaces, and end what runs; whatever else it needs to know belongs there or in build/.",
  ),
];

const packagesAtHome = [
  only(
    "express-in-the-interfaces",
    packages("express", "express-serve-static-core"),
    // Benchmarks compare with bare Express; the tests serve a single interface of a service on it.
    [
      "^(server/(player/v2|content|platform)|test/bench)/",
      "^test/support/http/serve-express\\.ts$",
    ],
    "Express stays in server/player/v2, server/content and server/platform. Hand over plain values; a door takes a router it does not look into.",
  ),
  only(
    "react-in-the-manager",
    packages(
      "react",
      "react-dom",
      "@mantine/[^/]+",
      "@tabler/icons-react",
      "@tanstack/react-query",
    ),
    "^(test/)?renderer/manager/",
    "React stays in renderer/manager. The stage is two layers and a clock; everything else has no page.",
  ),
  only(
    "databases-behind-the-platform",
    packages("better-sqlite3", "pg", "pg-[^/]+"),
    "^server/platform/",
    "Open databases through server/platform/sqlite/sqlite.ts or postgres.ts, which open them the careful way.",
  ),
  only(
    "kysely-in-the-content-service",
    packages("kysely", "kysely-[^/]+"),
    "^(test/)?server/(content|platform)/",
    "Kysely is for the content service. The player's store uses better-sqlite3 directly.",
  ),
  only(
    "electron-only-in-electron",
    packages("electron"),
    // The .cjs files of the build are loaded by Electron itself before our app.
    ["^electron/", "^build/.+\\.cjs$"],
    "Electron stays in electron/. Put the decision into server/ and call it from there; end-to-end tests drive the app through Playwright.",
  ),
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...floors,
    ...packagesAtHome,
    {
      name: "folders-in-one-direction",
      comment:
        "A folder is a capability, and two that need each other are one, or hide a third. Move the file to where it is needed, or say in your own parameters what you need.",
      severity: "error",
      scope: "folder",
      from: { path: capability },
      to: { circular: true, viaOnly: { path: capability } },
    },
    {
      name: "pages-know-no-other-page",
      comment:
        "A page of the manager imports no other page. Move what both need to a folder of its own, such as assets/ or lineup/.",
      severity: "error",
      from: { path: pages },
      to: { path: pages, pathNot: "^renderer/manager/$1/" },
    },
    {
      name: "sync-in-one-direction",
      comment:
        "Link, outbox and offline bundles stand on the connections, which stand on what they poll, download and store. Say in your own parameters what you need.",
      severity: "error",
      from: {
        path: "^server/player/sync/(credentials|connection|download|edge-apps|remote|store)/",
      },
      to: {
        path: "^server/player/sync/((command-line|link-client|offline-bundle|outbox)/|(attached-sync|sync|sync-activity)\\.ts$)",
      },
    },
    {
      name: "sync-steps-know-no-connection",
      comment:
        "A step of a run is called by the connection and knows nothing of it. Take what you need as a parameter.",
      severity: "error",
      from: {
        path: "^server/player/sync/(credentials|download|edge-apps|remote|store)/",
      },
      to: { path: "^server/player/sync/connection/" },
    },
    {
      name: "nothing-imports-a-test",
      comment:
        "What the app needs does not live in test/. Move it to the floor it belongs to and let the test import it from there.",
      severity: "error",
      from: { pathNot: "^test/" },
      to: { path: "^test/" },
    },
    {
      name: "no-circles",
      comment:
        "Two files that need each other are one file, or hide a third: take out what both need, or hand it in as a parameter.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "reached-by-a-test",
      comment:
        "Every file of core and platform is reached by some test. Write one at the same path under test/, or drop the file.",
      severity: "error",
      from: { path: "^test/.+\\.test\\.tsx?$" },
      to: { path: "^server/(core|platform)/.+\\.ts$", reachable: false },
    },
    {
      name: "imports-lead-somewhere",
      comment:
        "What cannot be followed cannot be judged. Correct the path (with its .ts), or add the package to package.json.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|release)/" },
    // Type-only imports count, too: naming something means depending on it.
    tsPreCompilationDeps: true,
    preserveSymlinks: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: [
        "import",
        "require",
        "node",
        "types",
        "default",
        "style",
      ],
      extensions: [
        ".ts",
        ".tsx",
        ".mjs",
        ".cjs",
        ".js",
        ".json",
        ".css",
        ".d.ts",
      ],
    },
  },
};
