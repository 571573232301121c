package org.netbeans.spi.wizard;

import javax.swing.JPanel;

/** Stands in for a class that the engine's jar refers to but does not carry; no wizard is ever shown here. */
public class WizardPage extends JPanel {
  private static final long serialVersionUID = 1L;

  /** Stands in likewise. */
  public interface WizardResultProducer { }
}
