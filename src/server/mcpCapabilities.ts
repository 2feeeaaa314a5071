/** What the MCP endpoint can do, for those too who say so before a host is there to be asked. */
export const mcpCapabilities = { tools: {}, resources: { subscribe: true } }
