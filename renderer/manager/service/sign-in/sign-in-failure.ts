// Why the provider did not sign anybody in, as the address says with which it sent the browser back (V3-208).

import { t } from "../../../locales/messages.ts";
import { createAddressSecret } from "../../session/address-secret.ts";

const hashPattern = /^#sign-in-failed=([a-z-]+)$/;

export const {
  watch: watchSignInFailure,
  forget: forgetSignInFailure,
  useSecret: useSignInFailure,
} = createAddressSecret(
  (hash) => hashPattern.exec(hash)?.[1] ?? null,
  "screens",
);

/** A sentence for people. */
export function failureText(reason: string, label: string): string {
  switch (reason) {
    case "expired":
      return t("service.openid.expired");
    case "unreachable":
      return t("service.openid.unreachable", { label });
    case "refused":
      return t("service.openid.refused", { label });
    case "unverified":
      return t("service.openid.unverified", { label });
    case "unknown":
      return t("service.openid.unknown");
    case "other-account":
      return t("service.openid.otherAccount", { label });
    default:
      return t("service.openid.invalid", { label });
  }
}
