// The secret of the invitation with which this page was opened.

import { createAddressSecret } from "../../session/address-secret.ts";

const hashPattern = /^#invitation=([\w-]+)$/;

export const {
  watch: watchInvitation,
  forget: forgetInvitation,
  useSecret: useInvitationSecret,
} = createAddressSecret(
  (hash) => hashPattern.exec(hash)?.[1] ?? null,
  "screens",
);
