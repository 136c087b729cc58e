// The secret of the link for a new password with which this page was opened.

import { createAddressSecret } from "../../session/address-secret.ts";

const hashPattern = /^#password=([\w-]+)$/;

export const {
  watch: watchPasswordLink,
  forget: forgetPasswordLink,
  useSecret: usePasswordLinkSecret,
} = createAddressSecret(
  (hash) => hashPattern.exec(hash)?.[1] ?? null,
  "screens",
);
