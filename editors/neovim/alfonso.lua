-- The language server of alfonso in Neovim (0.8 or later). Put this file where Neovim finds it
-- (~/.config/nvim/plugin/alfonso.lua); the command `alfonso` must be on the path.

local function is_ours(buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, 40, false)) do
    if line:match("^ruleset%s*:") or line:match("^extends%s*:") or line:match("^board%s*:") then return true end
    if line:match("^#.*[/=]%a+%.schema%.json") and line:match("ruleset%.schema") then return true end
    if line:match("board%.schema%.json") or line:match("sources%.schema%.json") then return true end
  end
  return false
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "yaml",
  callback = function(event)
    if not is_ours(event.buf) then return end
    local path = vim.api.nvim_buf_get_name(event.buf)
    local marker = vim.fs.find({ "rulesets", ".git" }, { upward = true, path = vim.fs.dirname(path) })[1]
    vim.lsp.start({
      name = "alfonso",
      cmd = { "alfonso", "lsp" },
      root_dir = marker and vim.fs.dirname(marker) or vim.fs.dirname(path),
    })
  end,
})
