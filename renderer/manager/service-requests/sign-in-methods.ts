// How people can sign in to this service with this browser (V3-203).

import type { SignInMethodsV3 } from "../../../server/contract/v3/v3-people.ts";
import { canUsePasskeys } from "../api/passkey.ts";
import { useServiceAnswer } from "./service-queries.ts";

/** `methods` is undefined until they are known, and if they can't be read. */
export function useSignInMethods(): {
  readonly methods: SignInMethodsV3 | undefined;
  readonly hasFailed: boolean;
  /** Service and browser support them at this address. */
  readonly hasPasskeys: boolean;
} {
  const { data: methods, error } =
    useServiceAnswer<SignInMethodsV3>("/sign-in/methods/");
  const hasPasskeys = methods?.passkeys === true && canUsePasskeys();
  return { methods, hasFailed: error !== null, hasPasskeys };
}
