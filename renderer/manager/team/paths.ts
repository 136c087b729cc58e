// Paths of version 3 that the Team page reads and writes.

export const peoplePath = "/people/";
export const invitationsPath = "/invitations/";
export const keysPath = "/keys/";

export function pathOfPerson(id: string): string {
  return `${peoplePath}${encodeURIComponent(id)}/`;
}
