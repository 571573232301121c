package hexforge.witness;

import java.awt.Component;
import java.io.File;

import VASSAL.tools.filechooser.FileChooser;
import VASSAL.tools.filechooser.FileFilter;

/** A file chooser that asks nobody: whoever opens it gets the file that was set beforehand. */
public class FixedFileChooser extends FileChooser {
  private File file;

  public FixedFileChooser() {
    super(null, null);
  }

  @Override
  public File getCurrentDirectory() {
    return file == null ? null : file.getParentFile();
  }

  @Override
  public void setCurrentDirectory(File directory) { }

  @Override
  public void rescanCurrentDirectory() { }

  @Override
  public File getSelectedFile() {
    return file;
  }

  @Override
  public void setSelectedFile(File file) {
    this.file = file;
  }

  @Override
  public String getDialogTitle() {
    return "";
  }

  @Override
  public void setDialogTitle(String title) { }

  @Override
  public int showOpenDialog(Component parent) {
    return file == null ? CANCEL_OPTION : APPROVE_OPTION;
  }

  @Override
  public int showSaveDialog(Component parent) {
    return file == null ? CANCEL_OPTION : APPROVE_OPTION;
  }

  @Override
  public FileFilter getFileFilter() {
    return null;
  }

  @Override
  public void setFileFilter(FileFilter filter) { }

  @Override
  public void addChoosableFileFilter(FileFilter filter) { }

  @Override
  public boolean removeChoosableFileFilter(FileFilter filter) {
    return true;
  }

  @Override
  public void resetChoosableFileFilters() { }
}
