// Theme of the component library: one accent, grey chrome, type and spacing on an 8-pixel grid.

import {
  Code,
  createTheme,
  Paper,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from "@mantine/core";
import { t } from "../../locales/messages.ts";

/** The one accent. White text on shade 6 and shade 6 on white both pass 4.5 : 1. */
const accent: MantineColorsTuple = [
  "#edf2ff",
  "#dbe4fd",
  "#b7c8fa",
  "#92acf6",
  "#7092f1",
  "#4f78e8",
  "#3a63d4",
  "#2f52b4",
  "#264392",
  "#1d3471",
];

/** Neutral on purpose: the content brings the colour. Index 0 is text, 7 is the background. */
const dark: MantineColorsTuple = [
  "#e6e6e6",
  "#cfcfcf",
  "#ababab",
  "#8a8a8a",
  "#4d4d4d",
  "#383838",
  "#2a2a2a",
  "#1a1a1a",
  "#131313",
  "#0d0d0d",
];

/** For panels that open over a page. */
const panelTitle = { fontSize: 18, lineHeight: "24px", fontWeight: 650 };

const comboboxProps = { transitionProps: { duration: 0 } };

export const theme = createTheme({
  colors: { accent, dark },
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 6 },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontSizes: {
    xs: "0.8125rem",
    sm: "0.875rem",
    md: "0.875rem",
    lg: "1rem",
    xl: "1.25rem",
  },
  headings: { fontWeight: "600" },
  // The windows in which pages change: as in the media queries of the style sheets.
  breakpoints: {
    xs: "47.5em",
    sm: "60em",
    md: "68.75em",
    lg: "80em",
    xl: "150em",
  },
  spacing: { xs: "8px", sm: "8px", md: "16px", lg: "24px", xl: "32px" },
  defaultRadius: 8,
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    ActionIcon: {
      defaultProps: { size: 40, variant: "subtle", color: "gray" },
    },
    Button: { defaultProps: { h: 40 } },
    Select: { defaultProps: { comboboxProps } },
    MultiSelect: { defaultProps: { comboboxProps } },
    TagsInput: { defaultProps: { comboboxProps } },
    // As the text around it, unless a size is given.
    Text: { defaultProps: { inherit: true } },
    // The background and line of a panel, which differ from the page's.
    Paper: Paper.extend({
      styles: (_, { withBorder }) =>
        withBorder
          ? { root: { background: "var(--panel)", borderColor: "var(--line)" } }
          : {},
    }),
    Table: {
      defaultProps: {
        ...{ borderColor: "var(--line)", tabularNums: true, lh: "inherit" },
        ...{ horizontalSpacing: 12, verticalSpacing: 8 },
      },
    },
    // Commands, answers and licences: copied from, and longer than their line.
    Code: Code.extend({
      styles: (_, { block }) =>
        block === true
          ? {
              root: {
                padding: "10px 12px",
                border: "1px solid var(--line)",
                borderRadius: 8,
                background: "var(--raised)",
                fontSize: 13,
                lineHeight: "20px",
                whiteSpace: "pre-wrap",
                overflowWrap: "anywhere",
                userSelect: "text",
              },
            }
          : {},
    }),
    Modal: {
      defaultProps: {
        styles: { title: panelTitle },
        closeButtonProps: { "aria-label": t("manager.close") },
        transitionProps: { duration: 0 },
      },
    },
    Drawer: { defaultProps: { styles: { title: panelTitle } } },
    Tooltip: {
      defaultProps: {
        openDelay: 400,
        transitionProps: { duration: 100 },
        events: { hover: true, focus: true, touch: false },
        withArrow: true,
      },
    },
  },
});

/**
 * The library's own greys for dimmed text, and its red beneath white letters, miss 4.5 : 1; these keep it on each of our
 * backgrounds.
 */
export const textThatCanBeRead: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5b5f66",
    "--mantine-color-placeholder": "#666a71",
    "--mantine-color-gray-light-color": "#3d4148",
    "--mantine-color-disabled-color": "#6b6f76",
    "--mantine-color-error": "#b42318",
    "--mantine-color-red-filled": "var(--fault-filled)",
    "--mantine-color-red-filled-hover": "var(--fault-filled-hover)",
  },
  dark: {
    "--mantine-color-dimmed": "#ababab",
    "--mantine-color-placeholder": "#a0a0a0",
    "--mantine-color-gray-light-color": "#d5d5d5",
    "--mantine-color-disabled-color": "#9a9a9a",
    "--mantine-color-error": "#ff8f85",
    "--mantine-color-red-filled": "var(--fault-filled)",
    "--mantine-color-red-filled-hover": "var(--fault-filled-hover)",
    "--mantine-color-anchor": "#a9bffb",
  },
});
