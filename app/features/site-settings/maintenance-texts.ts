import type { MaintenanceSettings } from './maintenance.ts';

/** The labels of the fields, in the order of the form. */
export const maintenanceLabels: Record<string, string> = {
  enabled: 'Maintenance mode',
  message: 'Message',
  allowedIPs: 'Allowed IP addresses',
  showDebugInfo: 'Show debug info',
  gateEnabled: 'Access gate',
  gateSiteName: 'Site name shown by the gate',
  gateAllowedIPs: 'Addresses the gate lets in',
};

const tick = (isOn: boolean) => (isOn ? 'on' : '');

/** Returns the settings as text values for their form. */
export function maintenanceTexts(settings: MaintenanceSettings): Record<string, string> {
  const { enabled, message, allowedIPs, showDebugInfo, gate } = settings;
  return {
    enabled: tick(enabled),
    message,
    allowedIPs: allowedIPs.join('\n'),
    showDebugInfo: tick(showDebugInfo),
    gateEnabled: tick(gate.enabled),
    gateSiteName: gate.siteName,
    gateAllowedIPs: gate.allowedIPs.join('\n'),
  };
}
