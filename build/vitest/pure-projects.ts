/** Projects of pure tests: nothing about the machine can make these fail, so a second attempt would only hide a fault. */
export const pureProjects: readonly string[] = ["pure units", "renderer"];
