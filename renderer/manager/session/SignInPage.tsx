// The sign-in page of a browser: takes the player's password or an access token, or the code that a phone scanned from the screen.

import { Button, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { EntrancePage } from "./EntrancePage.tsx";
import { forgetPhoneCode, usePhoneCode } from "./phone-code.ts";
import { PhoneSignIn } from "./PhoneSignIn.tsx";
import { SecretSignIn } from "./SecretSignIn.tsx";

export function SignInPage(): ReactNode {
  const code = usePhoneCode();
  return (
    <EntrancePage>
      <Title order={1} fz={20} lh="28px">
        {t("session.title")}
      </Title>
      {code === null ? (
        <SecretSignIn />
      ) : (
        <>
          <PhoneSignIn key={code} code={code} />
          <Button variant="default" fullWidth mt={8} onClick={forgetPhoneCode}>
            {t("session.phone.other")}
          </Button>
        </>
      )}
    </EntrancePage>
  );
}
