// The link of an invitation: how long it is valid, and its address. Its secret is in the fragment, which no browser sends and no
// server logs (V4-374).

/** Three days: one that is sent before a weekend is still valid after it. */
export const invitationHours = 72;
export const invitationMs = invitationHours * 3_600_000;

export function invitationLink(base: string, secret: string): string {
  return `${base}/#invitation=${secret}`;
}
