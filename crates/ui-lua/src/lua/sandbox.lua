-- The libraries as user code sees them: closed where Lua's own reach the machine, bounded where they cannot be interrupted.
--
-- Gets `native`, our functions written in Rust. Those never raise: they return whether they succeeded and then the results or a
-- message, which is raised here, so that it is a plain text that begins with the place of the caller.
-- Everything used after this chunk has run is held in locals: user code may replace any global.
local native = ...

local error, type, select, tostring, tonumber = error, type, select, tostring, tonumber
local getmetatable, rawget, rawset = getmetatable, rawget, rawset
local concat, mathtype = table.concat, math.type
local G = _G

-- More elements than the memory limit lets a table have; what counts further is a mistake or an attack.
local MANY = 10000000

local function done(ok, ...)
  if ok then return ... end
  error((...), 2)
end

-- Limits -------------------------------------------------------------------------------------------------------------------------

-- A limit that was passed ends the whole entry, so it is raised again rather than handed to whoever caught it.
local sticky, describe = native.sticky, native.describe
local function settle(ok, ...)
  if ok then return true, ... end
  local fault = ...
  if sticky(fault) then error("limit exceeded", 0) end
  if type(fault) == "userdata" then return false, describe(fault) end
  return false, ...
end

local pcall, xpcall = pcall, xpcall
-- For our own parts, which have to see a limit to report it.
native.xpcall, native.pcall = xpcall, pcall
function G.pcall(...) return settle(pcall(...)) end

-- A handler may be called from inside the hook that found the limit, where Lua runs no hooks: nothing could stop it.
function G.xpcall(f, handler, ...)
  local own = handler
  if type(own) == "function" then
    handler = function(fault)
      if sticky(fault) then return fault end
      if type(fault) == "userdata" then fault = describe(fault) end
      return own(fault)
    end
  end
  return settle(xpcall(f, handler, ...))
end

-- Every entry runs in a coroutine of ours, which is what the hook leaves by. A coroutine of the user never dies of an error: what it
-- has to close would be closed without hooks then. It ends with `FAILED` and the error instead, which `resume` turns back.
local create, resume, close, yield = coroutine.create, coroutine.resume, coroutine.close, coroutine.yield
local running, isyieldable = coroutine.running, coroutine.isyieldable
local of_user = setmetatable({}, { __mode = "k" })
local function FAILED() end

local function finish(ok, ...)
  if ok then return ... end
  return FAILED, ...
end

local function made(f)
  local co = create(function(...) return finish(pcall(f, ...)) end)
  of_user[co] = true
  return co
end

local function resumed(ok, ...)
  if not ok then return settle(false, ...) end
  local first, fault = ...
  if first == nil then
    -- A coroutine that the hook has left looks like one that yields nothing.
    if sticky(nil) then error("limit exceeded", 0) end
  elseif first == FAILED then
    return settle(false, fault)
  end
  return true, ...
end

local function handed_on(ok, ...)
  if ok then return ... end
  error((...), 0)
end

function coroutine.create(f)
  if type(f) ~= "function" then error("bad argument #1 to 'create' (function expected)", 2) end
  return made(f)
end
function coroutine.wrap(f)
  if type(f) ~= "function" then error("bad argument #1 to 'wrap' (function expected)", 2) end
  local co = made(f)
  return function(...) return handed_on(resumed(resume(co, ...))) end
end
function coroutine.resume(...) return resumed(resume(...)) end
function coroutine.close(...) return settle(close(...)) end
function coroutine.yield(...)
  if not of_user[running()] then error("attempt to yield from outside a coroutine", 2) end
  return yield(...)
end
function coroutine.running()
  local co = running()
  return co, not of_user[co]
end
function coroutine.isyieldable() return of_user[running()] ~= nil and isyieldable() end

-- Text only: a made-up binary chunk could do anything to the process.
local load = load
local function loaded(f, fault)
  if f then return f end
  if sticky(fault) then error("limit exceeded", 0) end
  if type(fault) == "userdata" then fault = describe(fault) end
  return nil, fault
end
function G.load(chunk, name, mode, ...)
  if mode ~= nil and mode ~= "t" and mode ~= "bt" then
    return nil, "attempt to load a binary chunk: only text is loaded here"
  end
  if type(chunk) == "number" then chunk = tostring(chunk) end
  if select("#", ...) > 0 then return loaded(load(chunk, name, "t", (...))) end
  return loaded(load(chunk, name, "t"))
end
function G.loadstring(chunk, name) return loaded(load(chunk, name, "t")) end
G.dofile, G.loadfile, G.warn = nil, nil, nil

-- Lua runs no hooks in a finalizer, so nothing could stop one.
local setmetatable = setmetatable
function G.setmetatable(...)
  local _, meta = ...
  if type(meta) == "table" and rawget(meta, "__gc") ~= nil then
    error("finalizers (`__gc`) are not available: release what you hold where you stop using it", 2)
  end
  return setmetatable(...)
end
getmetatable("").__metatable = false

local collect = native.collect
function G.collectgarbage(option) return done(collect(option or "collect")) end

-- Strings ------------------------------------------------------------------------------------------------------------------------

local find, match, gsub = native.find, native.match, native.gsub
local gmatch, gmatch_start = native.gmatch, native.gmatch_start
function string.find(...) return done(find(...)) end
function string.match(...) return done(match(...)) end
function string.gsub(...) return done(gsub(...)) end

-- `gmatch` answers the end of the match before the captures.
local function advance(state, ok, finish, ...)
  if not ok then error(finish, 2) end
  if finish == nil then return nil end
  state.from, state.last = finish, finish
  return ...
end
function string.gmatch(text, pattern, init)
  local ok, from = gmatch_start(text, pattern, init)
  if not ok then error(from, 2) end
  local state = { from = from }
  return function() return advance(state, gmatch(text, pattern, state.from, state.last)) end
end

-- Lua's own counts out how often nothing is repeated.
local rep = string.rep
function string.rep(text, n, ...)
  if text == "" and tonumber(n) then
    local separator = ...
    if separator == nil or separator == "" then return "" end
  end
  return rep(text, n, ...)
end
string.dump = nil

-- Tables: in Lua where a hostile `__len` or `__index` would keep C code busy. ------------------------------------------------------

local function needs_table(t, name)
  if type(t) ~= "table" then
    error("bad argument #1 to '" .. name .. "' (table expected, got " .. (t == nil and "no value" or type(t)) .. ")", 3)
  end
end

function table.insert(t, ...)
  needs_table(t, "insert")
  local count, size = select("#", ...), #t + 1
  if count == 1 then
    t[size] = (...)
  elseif count == 2 then
    local at, value = ...
    at = mathtype(at) == "integer" and at or tonumber(at)
    if not at or at < 1 or at > size or at % 1 ~= 0 then
      error("bad argument #2 to 'insert' (position out of bounds)", 2)
    end
    for i = size, at + 1, -1 do t[i] = t[i - 1] end
    t[at] = value
  else
    error("wrong number of arguments to 'insert'", 2)
  end
end

function table.remove(t, ...)
  needs_table(t, "remove")
  local size = #t
  local at = size
  if select("#", ...) > 0 then
    at = tonumber((...))
    if not at or (at ~= size and (at < 1 or at > size + 1)) or at % 1 ~= 0 then
      error("bad argument #2 to 'remove' (position out of bounds)", 2)
    end
  end
  local value = t[at]
  for i = at, size - 1 do t[i] = t[i + 1] end
  if at < size then t[size] = nil else t[at] = nil end
  return value
end

function table.concat(t, separator, from, to)
  needs_table(t, "concat")
  to = to or #t
  if type(to) == "number" and to - (tonumber(from) or 1) > MANY then error("too many elements to concatenate", 2) end
  return concat(t, separator, from or 1, to)
end

local move = table.move
function table.move(from, first, last, ...)
  if type(first) == "number" and type(last) == "number" and last - first > MANY then error("too many elements to move", 2) end
  return move(from, first, last, ...)
end

-- What code written for Lua 5.1 expects.
G.unpack = table.unpack
function table.getn(t) return #t end
function math.pow(x, y) return x ^ y end

-- Time ---------------------------------------------------------------------------------------------------------------------------

local date, time, difftime = os.date, os.time, os.difftime
local now, elapsed = native.now, native.elapsed
G.os = { difftime = difftime, clock = function() return elapsed() end }
function G.os.time(...)
  if (...) == nil then return now() end
  return time(...)
end
function G.os.date(format, at) return date(format, at or now()) end

-- Output -------------------------------------------------------------------------------------------------------------------------

local write = native.write
function G.print(...)
  local parts = { ... }
  local count = select("#", ...)
  for i = 1, count do parts[i] = tostring(parts[i]) end
  parts[count] = (parts[count] or "") .. "\n"
  write(1, concat(parts, "\t", count == 0 and 0 or 1, count))
end

local file = {}
file.__index, file.__name, file.__metatable = file, "FILE*", false
local function stream(number)
  return setmetatable({ number = number }, file)
end
local function put(target, ...)
  local parts = { ... }
  for i = 1, select("#", ...) do
    local kind = type(parts[i])
    if kind ~= "string" and kind ~= "number" then
      error("bad argument #" .. i .. " to 'write' (string expected, got " .. kind .. ")", 2)
    end
  end
  write(target.number, concat(parts))
  return target
end
function file:write(...) return put(self, ...) end
function file:flush() return self end
function file:close() return true end
function file:setvbuf() return true end
file.__tostring = function() return "file" end

local out, err = stream(1), stream(2)
G.io = { stdout = out, stderr = err }
function G.io.write(...) return put(out, ...) end
function G.io.type(value) return getmetatable(value) == false and type(value) == "table" and rawget(value, "number") and "file" or nil end
function G.io.read() return nil end

-- Modules ------------------------------------------------------------------------------------------------------------------------

G.package = {
  loaded = {
    _G = G, string = string, table = table, math = math, utf8 = utf8, coroutine = coroutine, os = G.os, io = G.io,
  },
}
