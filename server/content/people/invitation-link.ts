// The link of an invitation: its secret is in the fragment, which no browser sends and no server logs (V4-374).

export function invitationLink(base: string, secret: string): string {
  return `${base}/#invitation=${secret}`;
}
