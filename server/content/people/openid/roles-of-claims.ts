// Roles of people who are not invited, by claims of their OpenID Connect provider (V3-210).

import { isAtLeast, roles, type Role } from "../../../core/role.ts";

export interface RoleOfClaim {
  readonly claim: string;
  readonly value: string;
  readonly role: Role;
}

/** `groups=signage:editor,hd=example.org:viewer`; null for any other text. */
export function readRolesOfClaims(text: string): readonly RoleOfClaim[] | null {
  const read = text.split(",").map((part): RoleOfClaim | null => {
    const [, claim, value, name] =
      /^([^=]+)=(.+):(\w+)$/.exec(part.trim()) ?? [];
    const role = roles.find((each) => each === name);
    return claim === undefined || value === undefined || role === undefined
      ? null
      : { claim, value, role };
  });
  const found = read.filter((each) => each !== null);
  return found.length === read.length ? found : null;
}

/** The one that may do most; null: none. A claim is a text, or a list of them. */
export function roleByClaims(
  rolesOfClaims: readonly RoleOfClaim[],
  claims: Readonly<Record<string, unknown>>,
): Role | null {
  let most: Role | null = null;
  for (const { claim, value, role } of rolesOfClaims) {
    const stated = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    const has = Array.isArray(stated)
      ? stated.includes(value)
      : stated === value;
    if (has && (most === null || isAtLeast(role, most))) most = role;
  }
  return most;
}
