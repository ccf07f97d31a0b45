/** What stands at the gate: maintenance mode and the access gate (P14 to P16). Both let staff pass. */
export interface MaintenanceSettings {
  enabled: boolean;
  /** Addresses and ranges that pass while the mode is on. */
  allowedIPs: string[];
  message: string;
  /** Shown to those who are let in, never to the others. */
  showDebugInfo: boolean;
  gate: {
    enabled: boolean;
    /** The only addresses that see the site while the gate is on. */
    allowedIPs: string[];
    /** What the others take the site for. */
    siteName: string;
  };
}

export const defaultMaintenance: MaintenanceSettings = {
  enabled: false,
  allowedIPs: [],
  message: "Site is under maintenance. We'll be back soon!",
  showDebugInfo: false,
  gate: { enabled: false, allowedIPs: [], siteName: 'New Site' },
};
