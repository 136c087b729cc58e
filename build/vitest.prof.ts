import config from "./vitest.config.ts";
const add = (c: any) => {
  c.test.execArgv = [
    "--cpu-prof",
    "--cpu-prof-dir=/tmp/ci/prof",
    "--cpu-prof-interval=1000",
  ];
  for (const p of c.test.projects ?? []) add(p);
};
add(config);
export default config;
