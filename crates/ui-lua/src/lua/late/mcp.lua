-- What `mcp`, `ui` and `diag` do when they are called; see `late` in `sandbox.lua`.
local native, known = ...
local core, raising = native.core, native.raising
local _ENV <const> = native.std

known.notify, known.pushState, known.status = raising(native.notify), raising(native.push_event), raising(native.status)
known.pollingEvents, known.waitTime = native.is_polled, native.wait_time
known.json_encode, known.json_decode = raising(native.json_encode), native.json_decode

function known.register(name, object)
  if type(name) ~= "string" or type(object) ~= "table" then error("a name and a table are needed", 2) end
  core.registered[name] = object
  return object
end

-- A note on the variable being evaluated.
function known.diag(level, text)
  if text == nil then level, text = "info", level end
  local id = core.current_variable()
  if id then
    native.request_note(id, tostring(level) .. ": " .. tostring(text))
  else
    core.log("debug", text)
  end
end
