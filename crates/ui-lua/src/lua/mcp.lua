-- `mcp` and `ui`: events for agents, JSON, the log; and `diag`. What they do is in `late/mcp.lua`.
local native, core = ...

local G, held, late = native.G, core.held, native.late
local _ENV <const> = native.std

-- The root of a session whose code makes no application object. `value` is what its built-in view shows.
local mcp = { type = "MCP" }
G.mcp = mcp
held[1] = mcp
for _, name in next, { "notify", "pushState", "status", "pollingEvents", "waitTime" } do mcp[name] = late(name) end

-- What `ui://state` shows.
function core.state()
  if mcp.state ~= nil then return mcp.state end
  if rawequal(held[1], mcp) then return mcp.value end
  return held[1]
end

local register = late("register")
G.ui = {
  log = core.log, json_encode = late("json_encode"), json_decode = late("json_decode"),
  registerPresenter = register, registerWrapper = register,
}
G.diag = late("diag")
