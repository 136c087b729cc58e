// The manager's frame: theme, questions, the one error boundary, and the desk inside.

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { Component, useState, type ReactNode } from "react";
import { createQuestions, reasonOf, useManagerEvents, useNow } from "./api.ts";
import { AssetsPanel } from "./AssetsPanel.tsx";
import { DropZone } from "./DropZone.tsx";
import { NowPanel } from "./NowPanel.tsx";
import { Trouble } from "./parts/Trouble.tsx";
import { texts } from "./texts/texts.ts";
import { quietTextThatCanBeRead, theme } from "./theme.ts";

export function App(): ReactNode {
  const [questions] = useState(createQuestions);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={quietTextThatCanBeRead}
      defaultColorScheme="auto"
    >
      <ErrorBoundary>
        <QueryClientProvider client={questions}>
          <Desk />
        </QueryClientProvider>
      </ErrorBoundary>
      <Notifications
        position="bottom-right"
        limit={4}
        transitionDuration={150}
        className="outcomes"
      />
    </MantineProvider>
  );
}

function Desk(): ReactNode {
  useManagerEvents();
  return (
    <div className="desk">
      <NowPanel />
      <AssetsPanel />
      <DropZone />
      <NowAloud />
    </div>
  );
}

/** Says each new slide to those who listen instead of looking; politely, so nothing is cut short. */
function NowAloud(): ReactNode {
  const name = useNow().data?.showing?.name;
  return (
    <div aria-live="polite" className="only-aloud">
      {name === undefined ? "" : texts.nowShowing(name)}
    </div>
  );
}

interface BoundaryState {
  readonly fault: { readonly reason: string } | null;
}

class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  BoundaryState
> {
  override state: BoundaryState = { fault: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { fault: { reason: reasonOf(error) } };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === null) return this.props.children;
    return (
      <main className="broken-desk">
        <Trouble
          sentence={`${texts.brokenDesk} ${texts.brokenDeskCalm}`}
          reason={fault.reason}
          isTrying={false}
          label={texts.openAgain}
          onTryAgain={() => {
            window.location.reload();
          }}
        />
      </main>
    );
  }
}
