// Calls of the manager about the content service that this PC hosts: forwarded to the host.

import type { ContentHost } from "../hosting/content-host.ts";
import type { ManagerCalls } from "../ipc.ts";

type ContentCalls = Pick<
  ManagerCalls,
  | "readHosting"
  | "changeHosting"
  | "listHostKeys"
  | "makeHostKey"
  | "inviteHostPerson"
  | "revokeHostKey"
>;

export function contentCalls(host: ContentHost): ContentCalls {
  return {
    readHosting: () => host.view(),
    changeHosting: (change) => host.change(change),
    listHostKeys: () => host.call("listKeys", null),
    makeHostKey: async ({ name }) => ({
      key: await host.call("addKey", { name }),
    }),
    inviteHostPerson: async ({ email }) => ({
      link: await host.call("invite", { email }),
    }),
    revokeHostKey: ({ id }) => host.call("revokeKey", { id }),
  };
}
