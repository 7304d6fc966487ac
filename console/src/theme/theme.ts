import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core';

const ink: MantineColorsTuple = [
  '#ebeefb',
  '#dbe0f8',
  '#b9c3f2',
  '#a9b7ff',
  '#7f90ee',
  '#6376e6',
  '#5267dd',
  '#3a4fc4',
  '#3043ab',
  '#26368c',
];

/** Maps Mantine's theme to the design tokens, so that its components look like our own. */
export const theme = createTheme({
  colors: { ink },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: false,
  defaultRadius: 'sm',
  cursorType: 'default',
  focusRing: 'auto',
  activeClassName: '',
  respectReducedMotion: true,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '20px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '12px' },
  breakpoints: { xs: '40em', sm: '56.25em', md: '68.75em', lg: '90em', xl: '120em' },
  variantColorResolver: (input) => {
    if (input.variant === 'light')
      return {
        background: 'var(--accent-soft)',
        hover: 'var(--accent-soft-2)',
        color: 'var(--accent-text)',
        border: '1px solid transparent',
      };
    if (input.variant === 'default')
      return { background: 'var(--bg-1)', hover: 'var(--bg-3)', color: 'var(--text-1)', border: '1px solid var(--line-2)' };
    return defaultVariantColorsResolver(input);
  },
  components: {
    Modal: { defaultProps: { centered: true, radius: 'lg', size: 520, padding: 24, overlayProps: { color: 'transparent' } } },
    Drawer: { defaultProps: { padding: 24, overlayProps: { color: 'transparent' } } },
    // Focus the first item directly: the placeholder element is not a valid child of role="menu".
    Menu: { defaultProps: { radius: 'md', shadow: 'none', position: 'bottom-end', withInitialFocusPlaceholder: false } },
    // The option list scrolls on its own; a scroll area around it could not be reached by keyboard.
    Select: { defaultProps: { withScrollArea: false } },
    Autocomplete: { defaultProps: { withScrollArea: false } },
    Checkbox: { defaultProps: { size: '16px', radius: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 400 } },
  },
});

/** Points Mantine's CSS variables at the design tokens. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--bg-1)',
    '--mantine-color-text': 'var(--text-1)',
    '--mantine-color-dimmed': 'var(--text-3)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-default': 'var(--bg-1)',
    '--mantine-color-default-color': 'var(--text-1)',
    '--mantine-color-default-border': 'var(--line-2)',
    '--mantine-color-default-hover': 'var(--bg-3)',
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-disabled': 'var(--bg-3)',
    '--mantine-color-disabled-color': 'var(--text-3)',
    '--mantine-color-disabled-border': 'var(--line-2)',
    '--mantine-shadow-md': 'var(--shadow-2)',
    '--mantine-shadow-xl': 'var(--shadow-3)',
  };
  return { variables: {}, light: shared, dark: shared };
};
