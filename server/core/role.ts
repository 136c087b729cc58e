// Roles of API keys and people, each of which may do everything that the one before may (V4-360).

export const roles = ["viewer", "editor", "operator", "admin"] as const;

export type Role = (typeof roles)[number];

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** Only these write anything that a limit to labels could restrict (V4-362). */
export function canHaveLimits(role: Role): boolean {
  return role === "editor" || role === "operator";
}
