// The code with which the QR code of the screen opened this page.

import { phoneCodeIn } from "../../../server/contract/v2/phone-address.ts";
import { createAddressSecret } from "./address-secret.ts";

export const {
  watch: watchPhoneCode,
  forget: forgetPhoneCode,
  useSecret: usePhoneCode,
} = createAddressSecret(phoneCodeIn, "now");
