// Cost of a password's hash where a test is about anything else: a hundredth of a second in place of a quarter.

import type { HashCost } from "../../server/platform/password-hash.ts";

export const lowHashCost: HashCost = { ln: 10, r: 8, p: 1 };
