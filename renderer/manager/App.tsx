// Root component of the manager: theme, text direction, query client, the one error boundary, and the shell inside.

import { DirectionProvider, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { createQuestions } from "./api.ts";
import { Shell } from "./Shell.tsx";
import { SignInGate } from "./session/SignInGate.tsx";
import { Boundary } from "./components/outcomes/Boundary.tsx";
import { direction } from "../locales/language.ts";
import { t } from "../locales/messages.ts";
import { textThatCanBeRead, theme } from "./theme.ts";

export function App(): ReactNode {
  const [questions] = useState(createQuestions);
  return (
    <DirectionProvider initialDirection={direction}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={textThatCanBeRead}
        defaultColorScheme="auto"
      >
        <Boundary sentence={t("manager.windowFailed")}>
          <QueryClientProvider client={questions}>
            <SignInGate>
              <Shell />
            </SignInGate>
          </QueryClientProvider>
        </Boundary>
        <Notifications
          position={direction === "rtl" ? "bottom-left" : "bottom-right"}
          limit={4}
          transitionDuration={150}
          className="outcomes"
        />
      </MantineProvider>
    </DirectionProvider>
  );
}
