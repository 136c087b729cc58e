// What every page of the manager stands in: theme, text direction, query client, and the one error boundary.

import { DirectionProvider, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Boundary } from "../components/outcomes/Boundary.tsx";
import { createQuestions } from "../api/fresh-query-client.ts";
import { direction } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { textThatCanBeRead, theme } from "./theme.ts";

export function AppFrame({
  children,
}: {
  readonly children: ReactNode;
}): ReactNode {
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
            {children}
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
